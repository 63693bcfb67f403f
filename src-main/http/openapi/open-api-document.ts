import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { compactCheckpointSchema } from '../../../src-shared/model/checkpoint.ts';
import { errorStatus } from '../../../src-shared/model/engine-error.ts';
import { alarmSchema, liveEventSchema } from '../../../src-shared/model/events.ts';
import { jobDetailSchema, jobSummarySchema } from '../../../src-shared/model/job.ts';
import { sessionSummarySchema } from '../../../src-shared/model/session.ts';
import { assembleTraceSchema, callSummarySchema, providerUsageSchema } from '../../../src-shared/model/trace.ts';
import { turnEnvelopeSchema, turnRecordSchema } from '../../../src-shared/model/turn-envelope.ts';
import { errorReplySchema, none } from '../../../src-shared/protocol/common.ts';
import type { RouteDefinition } from '../../../src-shared/protocol/route.ts';
import { routes } from '../../../src-shared/protocol/routes.ts';

const bearer = 'bearerToken';

/** The OpenAPI 3.1 document of all routes, made from the same schemas that requests are parsed with. */
export function openApiDocument(version: string): ReturnType<typeof createDocument> {
  nameSchemas();
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Strata',
      version,
      description: `The local context engine. It listens on 127.0.0.1 only; requests must name that address in their Host header. Errors have one form on all routes; their codes and statuses: ${errorList()}.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:{port}', variables: { port: { default: '7717' } } }],
    paths: paths(),
    components: {
      responses: {
        Error: {
          description: 'The request was refused or failed; `error.code` says why',
          content: { 'application/json': { schema: errorReplySchema } },
        },
      },
      securitySchemes: {
        [bearer]: {
          type: 'http',
          scheme: 'bearer',
          description: 'The content of the file "token" in the data directory, or the token of an inspector session',
        },
      },
    },
  });
}

function errorList(): string {
  return Object.entries(errorStatus)
    .map(([code, status]) => `${code} (${status})`)
    .join(', ');
}

function paths(): ZodOpenApiPathsObject {
  const found: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    found[route.path] = { ...found[route.path], [methodKeys[route.method]]: operation(route) };
  }
  return found;
}

const methodKeys = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const;
const mediaTypes = {
  json: 'application/json',
  'event-stream': 'text/event-stream',
  ndjson: 'application/x-ndjson',
} as const;

function operation(route: RouteDefinition): ZodOpenApiOperationObject {
  const hasBody = route.method !== 'GET' && route.body !== none;
  return {
    operationId: route.name,
    summary: route.summary,
    security: route.auth === 'token' ? [{ [bearer]: [] }] : [],
    requestParams: {
      ...(isObject(route.params) && route.params !== none ? { path: route.params } : {}),
      ...(isObject(route.query) && route.query !== none ? { query: route.query } : {}),
    },
    ...(hasBody ? { requestBody: { required: true, content: { 'application/json': { schema: route.body } } } } : {}),
    responses: {
      '200': { description: 'Done', content: { [mediaTypes[route.replyKind]]: { schema: route.reply } } },
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

function isObject(schema: z.ZodType): schema is z.ZodObject {
  return schema instanceof z.ZodObject;
}

/**
 * Names become components of the document. They are put into zod's own registry rather than into the list of
 * components, because from there each schema would be written twice, as input and as output.
 */
function nameSchemas(): void {
  const models = {
    TurnEnvelope: turnEnvelopeSchema,
    TurnRecord: turnRecordSchema,
    CompactCheckpoint: compactCheckpointSchema,
    AssembleTrace: assembleTraceSchema,
    CallSummary: callSummarySchema,
    ProviderUsage: providerUsageSchema,
    SessionSummary: sessionSummarySchema,
    Job: jobSummarySchema,
    JobDetail: jobDetailSchema,
    LiveEvent: liveEventSchema,
    Alarm: alarmSchema,
    ErrorReply: errorReplySchema,
  };
  for (const [name, schema] of Object.entries(models)) nameSchema(schema, name);
  for (const route of routes) {
    const name = `${route.name.charAt(0).toUpperCase()}${route.name.slice(1)}`;
    nameSchema(route.body, `${name}Request`);
    nameSchema(route.reply, `${name}Reply`);
  }
}

/** A schema that two routes share keeps the name of the first. */
function nameSchema(schema: z.ZodType, name: string): void {
  const meta = z.globalRegistry.get(schema);
  if (schema !== none && meta?.id === undefined) z.globalRegistry.add(schema, { ...meta, id: name });
}
