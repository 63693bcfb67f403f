import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenClawHost } from './openclaw-host.ts';
import { seenByProvider, seenInTrace } from './provider-view.ts';
import { readTranscripts } from './read-transcript.ts';
import type { ModelRequest, ModelScript, ScriptedModel } from './scripted-model.ts';
import type { StrataDaemon } from './strata-daemon.ts';

export interface Turn {
  readonly key: string;
  readonly answer: string;
  /** What the agent's model was asked in this turn; requests of the host's own helpers are left out. */
  readonly requests: readonly ModelRequest[];
}

/** One run: the host, the daemon and the model, and what the scenarios have in common. */
export class Suite {
  readonly host: OpenClawHost;
  readonly daemon: StrataDaemon;
  readonly model: ScriptedModel;
  /** Temporary directory of the run. */
  readonly work: string;
  /** Session keys used so far; the last scenarios look at all of them. */
  readonly keys = new Set<string>();

  constructor(parts: { host: OpenClawHost; daemon: StrataDaemon; model: ScriptedModel; work: string }) {
    this.host = parts.host;
    this.daemon = parts.daemon;
    this.model = parts.model;
    this.work = parts.work;
  }

  /** One message of the user; the model answers by `script`, or with a text of its own. */
  async turn(name: string, text: string, script: ModelScript = () => undefined): Promise<Turn> {
    const key = `agent:main:${name}`;
    this.keys.add(key);
    const start = this.model.requests.length;
    this.model.script = script;
    const answer = await this.host.turn(key, text);
    this.model.script = () => undefined;
    const requests = this.model.requests.slice(start).filter(({ tools }) => (tools ?? []).length > 0);
    return { answer, requests, key };
  }

  /** What the model got last is what the newest call of the session answered, followed by what the turn added. */
  async assertModelGotTheTrace({ key, requests }: Turn): Promise<void> {
    const request = requests.at(-1);
    assert.ok(request, 'the model was asked');
    const session = await this.daemon.session(key);
    const [call] = await this.daemon.calls(session.session_uid);
    assert.ok(call, 'the session has a call');
    const expected = seenInTrace(await this.daemon.callMessages(call.call_id));
    assert.deepEqual(seenByProvider(request).slice(0, expected.length), expected);
  }

  /** Stored turns as `role: text`, oldest first. */
  async storedTexts(key: string): Promise<string[]> {
    const session = await this.daemon.session(key);
    const turns = await this.daemon.turns(session.session_uid);
    return turns.map(({ turn: { role, parts } }) => {
      const text = parts.map((part) => (part.type === 'text' ? part.text : `<${part.type}>`)).join('');
      return `${role}: ${text}`;
    });
  }

  /** The messages of conversations as the host's own reader gives them, by session key. */
  async transcripts(keys: Iterable<string>): Promise<Map<string, unknown[]>> {
    const wanted = [...keys];
    const sessions = (await this.daemon.sessions()).filter(({ session_key: key }) => wanted.includes(key)).toReversed();
    const targets = sessions.map(({ session_key, session_id }) => ({ sessionKey: session_key, sessionId: session_id }));
    const found = await readTranscripts(this.host, targets);
    const byKey = new Map<string, unknown[]>(wanted.map((key) => [key, []]));
    targets.forEach(({ sessionKey }, position) => byKey.get(sessionKey)?.push(...(found[position] ?? [])));
    return byKey;
  }

  /** Files of turns that wait for the daemon. */
  spooled(): string[] {
    const dir = join(this.daemon.dataDir, 'spool');
    return existsSync(dir) ? readdirSync(dir).filter((name) => name.endsWith('.json')) : [];
  }
}

export interface Scenario {
  readonly name: string;
  /** Why it does not apply to this host, if it does not. */
  readonly skip?: (suite: Suite) => string | undefined;
  readonly run: (suite: Suite) => Promise<void>;
}
