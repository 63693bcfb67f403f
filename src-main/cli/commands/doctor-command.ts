import type { CliContext } from '../cli-context.ts';
import { describeChecks } from '../doctor/describe-checks.ts';
import { runDoctor } from '../doctor/run-doctor.ts';

/** Every check with its reason and remedy; answers whether all is well enough. */
export async function doctorCommand(context: CliContext, options: { readonly host: boolean }): Promise<boolean> {
  const checks = await runDoctor(context, { askHost: options.host });
  const healthy = checks.every((check) => check.state !== 'failed');
  context.print(context.json ? JSON.stringify({ ok: healthy, checks }) : describeChecks(checks));
  return healthy;
}
