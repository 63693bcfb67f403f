import { z } from 'zod';

// The page's policy forbids making code from text, which zod tries for speed as soon as a schema is made. So this file
// is imported before every other.
z.config({ jitless: true });
