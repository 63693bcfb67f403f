import { createWorkerIndex } from './create-worker-index.ts';
import { openInlineIndex } from './open-inline-index.ts';
import { memoryIndexContract } from './testing/memory-index-contract.ts';

memoryIndexContract('the index on the calling thread', (file) => openInlineIndex({ file }));
memoryIndexContract('the index in a worker', (file) => createWorkerIndex({ file }));
