export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Plain values only. Never tokens, never what people or models wrote. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Logger {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly write: (line: string) => void;
  readonly now: () => number;
}

/** One JSON object per event and line: time, level, event, then the event's own fields. */
export function createLogger(options: LoggerOptions): Logger {
  const least = logLevels.indexOf(options.level);
  const at = (level: LogLevel) => {
    return (event: string, fields: LogFields = {}): void => {
      if (logLevels.indexOf(level) < least) return;
      options.write(`${JSON.stringify({ time: new Date(options.now()).toISOString(), level, event, ...fields })}\n`);
    };
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

export const silentLogger: Logger = createLogger({ level: 'silent', write: () => undefined, now: () => 0 });

/** Name, code and the start of message and stack of whatever was thrown; bounded, for the log only. */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error).slice(0, 500) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    error: error.name,
    code,
    message: error.message.slice(0, 500),
    stack: error.stack?.split('\n').slice(1, 6).join(' | ').slice(0, 1_000),
    cause: error.cause instanceof Error ? `${error.cause.name}: ${error.cause.message}`.slice(0, 500) : undefined,
  };
}
