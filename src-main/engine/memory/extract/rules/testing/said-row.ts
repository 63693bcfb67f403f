/** What somebody says, what is to be kept of it (signal, kind, `!` where it was asked for, the statement), the answer before it. */
export type SaidRow = readonly [said: string, kept: readonly string[], answer?: string];
