import type { ProviderUsage } from '../../../src-shared/model/trace.ts';
import type { ReadConnection, WriteConnection } from '../sqlite/connection.ts';

export interface CalibrationSample {
  /** Tokens of the prompt by our own count, without the ratio that earlier samples gave. */
  readonly estimated: number;
  /** Tokens of the prompt as the provider counted them. */
  readonly provider: number;
}

export interface UsageRecord {
  readonly usage: ProviderUsage;
  /** The model whose tokenizer the provider counted with. */
  readonly model: string | undefined;
  readonly ownTokens: number;
  readonly forCalibration: boolean;
  /** Takes the place of what was recorded before. */
  readonly replaces: boolean;
}

export const callUsageSql = {
  samples: `SELECT own_tokens AS estimated, prompt_tokens AS provider FROM call_usage
    WHERE for_calibration = 1 AND model = ? ORDER BY call_no DESC LIMIT ?`,
} as const;

export function callUsageReads(db: ReadConnection) {
  const select = db.query<[number], { readonly usage: string }>('SELECT usage FROM call_usage WHERE call_no = ?');
  const samples = db.query<[string, number], CalibrationSample>(callUsageSql.samples);
  return {
    find(callNo: number): ProviderUsage | undefined {
      const row = select.get(callNo);
      // Written by `insert` below.
      return row && (JSON.parse(row.usage) as ProviderUsage);
    },
    /** Newest call first. */
    samples: (model: string, limit: number): readonly CalibrationSample[] => samples.all(model, limit),
  };
}

export function callUsageWrites(db: WriteConnection) {
  const insert = db.command<[number, string, string | null, number, number, number, number]>(
    `INSERT INTO call_usage (call_no, usage, model, own_tokens, prompt_tokens, for_calibration)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (call_no) DO UPDATE
     SET usage = excluded.usage, model = excluded.model, own_tokens = excluded.own_tokens,
       prompt_tokens = excluded.prompt_tokens, for_calibration = excluded.for_calibration
     WHERE ?`,
  );
  return {
    ...callUsageReads(db),
    /** False when the call has its usage already. */
    insert: (callNo: number, { usage, model, ownTokens, forCalibration, replaces }: UsageRecord): boolean => {
      const values = [JSON.stringify(usage), model ?? null, ownTokens, usage.prompt_tokens] as const;
      return insert.run(callNo, ...values, Number(forCalibration), Number(replaces)).changes === 1;
    },
  };
}
