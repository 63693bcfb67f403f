import { classifySentence } from '../classify-sentence.ts';
import { readSummary } from '../read-summary.ts';
import { splitSentences } from '../split-sentences.ts';
import { noLines, renderSections } from '../summary-sections.ts';

/**
 * Stands for a model that is honest and careless: it reads the prompt as one would, tells what it found in few words,
 * but loses everything that looks exact, lists requests in the wrong order, finished ones too, and forgets sub-agents.
 */
export function scriptedWriter(prompt: string): string {
  const turns = turnsOf(prompt);
  const sentences = turns.flatMap(({ role, text }) =>
    splitSentences(text).map((sentence) => ({ section: classifySentence(sentence, role), text: inexact(sentence) })),
  );
  const records = recordsOf(prompt).map((record) => readSummary(record).lines);
  const of = (section: 'decisions' | 'tasks' | 'rules' | 'requests' | 'facts', most: number): string[] =>
    [
      ...new Set([
        ...(turns.length === 0 || prompt.includes('This is part ')
          ? records.flatMap((lines) => lines[section].map(inexact))
          : []),
        ...sentences.filter((one) => one.section === section && one.text.length > 8).map(({ text }) => text),
      ]),
    ].slice(0, most);
  const lines = {
    ...noLines,
    decisions: of('decisions', 3),
    tasks: of('tasks', 3),
    rules: of('rules', 3),
    requests: of('requests', 6),
    facts: of('facts', 4),
  };
  const first = Object.values(lines).flat()[0] ?? 'Nothing was said.';
  return `## Abstract\n\n${first}\n\n${renderSections({ ...lines, facts: lines.facts.length > 0 ? lines.facts : [first] })}`;
}

/** Words with figures, slashes, underscores, brackets or inner capitals are left out. */
function inexact(sentence: string): string {
  return sentence
    .replace(/`[^`]*`|"[^"]*"|\S*[\d/\\_#()@]\S*|\S*[a-z][A-Z]\S*|\S+\.\w\S*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function turnsOf(prompt: string) {
  const mark = /<history-([0-9a-f]{12})>/.exec(prompt)?.[1];
  if (mark === undefined) return [];
  const history = prompt.slice(prompt.indexOf(`<history-${mark}>`), prompt.lastIndexOf(`</history-${mark}>`));
  return history
    .split(`[${mark} turn `)
    .slice(1)
    .map((block) => {
      const [, role = 'user', text = ''] = /^\d+ (user|assistant|tool|system)[^\]]*\]\n([^]*)$/.exec(block) ?? [];
      return { role: role as 'user' | 'assistant' | 'tool' | 'system', text };
    });
}

function recordsOf(prompt: string): string[] {
  return [...prompt.matchAll(/<record-([0-9a-f]{12})[^>]*>\n([^]*?)\n<\/record-\1>/g)].map(([, , text = '']) => text);
}
