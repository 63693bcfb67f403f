export type IdentifierKind =
  | 'url'
  | 'path'
  | 'line'
  | 'uuid'
  | 'hash'
  | 'host_port'
  | 'function'
  | 'variable'
  | 'issue'
  | 'version'
  | 'id'
  | 'session_key'
  | 'host'
  | 'model'
  | 'error';

export const identifierKinds: readonly IdentifierKind[] = [
  'path',
  'line',
  'function',
  'variable',
  'hash',
  'uuid',
  'url',
  'host',
  'host_port',
  'version',
  'issue',
  'error',
  'model',
  'id',
  'session_key',
];
