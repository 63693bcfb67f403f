// Checks the OpenAPI document as a reader would meet it: every route is there, every reference leads somewhere.
import { openApiDocument } from '../src-main/http/openapi/open-api-document.ts';
import { productVersion } from '../src-main/product-version.ts';
import { routes } from '../src-shared/protocol/routes.ts';

const document: unknown = JSON.parse(JSON.stringify(openApiDocument(productVersion)));
const problems: string[] = [];
const names = new Set<string>();

for (const route of routes) {
  const where = `${route.method} ${route.path}`;
  const operation = at(document, ['paths', route.path, route.method.toLowerCase()]);
  if (operation === undefined) {
    problems.push(`${where} is missing`);
    continue;
  }
  const id = at(operation, ['operationId']);
  if (typeof id !== 'string' || names.has(id)) problems.push(`${where} has no operationId of its own`);
  else names.add(id);
  if (at(operation, ['responses', '200']) === undefined) problems.push(`${where} describes no answer`);
  const secured = Array.isArray(at(operation, ['security'])) && JSON.stringify(at(operation, ['security'])) !== '[]';
  if (secured !== (route.auth === 'token')) problems.push(`${where} says wrongly whether it needs a token`);
}
for (const reference of references(document)) {
  const path = reference
    .replace(/^#\//, '')
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (!reference.startsWith('#/') || at(document, path) === undefined)
    problems.push(`the reference ${reference} leads nowhere`);
}

for (const problem of problems) console.error(`✗ ${problem}`);
if (problems.length === 0) console.log(`${routes.length} routes`);
process.exitCode = problems.length > 0 ? 1 : 0;

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (node, key) => (typeof node === 'object' && node !== null ? Reflect.get(node, key) : undefined),
    value,
  );
}

function references(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]: [string, unknown]) =>
    key === '$ref' && typeof child === 'string' ? [child] : references(child),
  );
}
