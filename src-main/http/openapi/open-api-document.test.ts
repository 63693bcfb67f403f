import { describe, expect, it } from 'vitest';
import { routes } from '../../../src-shared/protocol/routes.ts';
import { createTestApp } from '../testing/test-app.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { openApiDocument } from './open-api-document.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

/** As a client sees it. */
const document = JSON.parse(JSON.stringify(openApiDocument('1.2.3'))) as JsonObject;

function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((current, key) => (isObject(current) ? current[key] : undefined), value);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function everyObject(value: Json, visit: (object: JsonObject) => void): void {
  if (Array.isArray(value)) value.forEach((child) => everyObject(child, visit));
  else if (isObject(value)) {
    visit(value);
    Object.values(value).forEach((child) => everyObject(child, visit));
  }
}

function resolve(reference: string): Json | undefined {
  return at(document, ...reference.replace(/^#\//, '').split('/'));
}

describe('the OpenAPI document', () => {
  it('is of version 3.1 and carries the version of the product', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Strata', version: '1.2.3' } });
  });

  it('has the routes of the protocol, all of them and no other', () => {
    const described = Object.entries(document['paths'] as JsonObject).flatMap(([path, item]) =>
      Object.keys(item as JsonObject).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(routes.map((route) => `${route.method} ${route.path}`).sort());
  });

  it.each(routes.map((route) => [route.name, route] as const))('describes %s wholly', (name, route) => {
    const operation = at(document, 'paths', route.path, route.method.toLowerCase());
    expect(operation).toMatchObject({
      operationId: name,
      summary: route.summary,
      security: route.auth === 'token' ? [{ bearerToken: [] }] : [],
      responses: { default: { $ref: '#/components/responses/Error' } },
    });
    const content = at(operation, 'responses', '200', 'content') as JsonObject;
    expect(Object.keys(content)).toHaveLength(1);
    const declared = (at(operation, 'parameters') ?? []) as JsonObject[];
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    expect(declared.filter((parameter) => parameter['in'] === 'path').map((parameter) => parameter['name'])).toEqual(
      inPath,
    );
    expect(declared.filter((parameter) => parameter['in'] === 'query').map((parameter) => parameter['name'])).toEqual(
      Object.keys('shape' in route.query ? route.query.shape : {}),
    );
    const body = at(operation, 'requestBody', 'content', 'application/json', 'schema');
    const shape = 'shape' in route.body ? Object.keys(route.body.shape) : [];
    const properties = isObject(body) ? at(resolve(JSON.stringify(body['$ref']).slice(1, -1)), 'properties') : {};
    expect(Object.keys(properties as JsonObject)).toEqual(shape);
  });

  it('refers only to what it holds', () => {
    const broken: string[] = [];
    let references = 0;
    everyObject(document, (object) => {
      const reference = object['$ref'];
      if (typeof reference !== 'string') return;
      references += 1;
      if (resolve(reference) === undefined) broken.push(reference);
    });
    expect(broken).toEqual([]);
    expect(references).toBeGreaterThan(60);
  });

  it('gives every operation an id of its own', () => {
    const ids = routes.map((route) => route.name);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('describes messages as open objects', () => {
    expect(at(document, 'components', 'schemas', 'AssembleRequest', 'properties', 'messages', 'items')).toMatchObject({
      type: 'object',
      additionalProperties: true,
    });
  });

  it('names every error code with its status', () => {
    expect(at(document, 'info', 'description')).toContain('unknown_messages (409)');
  });

  it('is the same each time it is made', () => {
    expect(JSON.stringify(openApiDocument('1.2.3'))).toBe(JSON.stringify(document));
  });

  it('is served without a token', async () => {
    const test = await createTestApp({ dataDir: await temporaryDirectory() });
    const response = await test.send('/openapi.json', { headers: { Authorization: '' } });
    expect(response.status).toBe(200);
    expect(Object.keys(((await response.json()) as JsonObject)['paths'] as JsonObject)).toHaveLength(
      new Set(routes.map((route) => route.path)).size,
    );
  });
});
