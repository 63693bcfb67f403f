import { EngineError } from '../../../src-shared/model/engine-error.ts';

export function unknownCall(id: string): EngineError {
  return new EngineError(
    'unknown_call',
    `There is no assemble call ${JSON.stringify(id.slice(0, 200))}; old calls are removed after a while.`,
  );
}
