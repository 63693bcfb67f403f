import { fitLines } from './fit-lines.ts';
import { firstLines, forEachLine } from './text-lines.ts';
import { oneLine } from './visible-text.ts';

interface Language {
  readonly name: string;
  readonly imports: RegExp;
  readonly definitions: RegExp;
}

const languages: readonly Language[] = [
  {
    name: 'TypeScript or JavaScript',
    imports: /^(?:import\b.{0,300}['"]|(?:const|let|var) .{1,120}= require\(|export .{0,200} from ['"])/,
    definitions:
      /^\s{0,8}(?:export |default |declare |abstract |public |private |protected |static |async )*(?:function\*? \w|class \w|interface \w|type \w+.{0,40}=|enum \w|namespace \w|const \w+ = (?:async )?(?:\(|function)|(?:get |set )?#?\w+\([^)]{0,200}\)[^;=]{0,80}\{\s*$)/,
  },
  {
    name: 'Python',
    imports: /^(?:import [\w.]+|from [\w.]+ import )/,
    definitions: /^\s{0,12}(?:async )?(?:def \w+\(|class \w+)/,
  },
  {
    name: 'Go',
    imports: /^import |^\t"[\w./-]+"$/,
    definitions: /^(?:func |type \w+ (?:struct|interface|func)|package )/,
  },
  {
    name: 'Rust',
    imports: /^\s{0,4}(?:pub )?use [\w:]+/,
    definitions:
      /^\s{0,8}(?:pub(?:\([\w:]+\))? )?(?:async |unsafe |const )*(?:fn \w|struct \w|enum \w|trait \w|impl[ <]|mod \w|macro_rules!)/,
  },
  {
    name: 'Java, C# or Kotlin',
    imports: /^(?:import [\w.*]+;?|using [\w.]+;|package [\w.]+;?)/,
    definitions:
      /^\s{0,12}(?:(?:public|private|protected|internal|static|final|abstract|override|open|data|sealed) )+[\w<>[\], ?]{1,80}(?:\(|\{|class )/,
  },
  {
    name: 'C or C++',
    imports: /^#\s*include [<"]/,
    definitions:
      /^(?:static |inline |extern |virtual |template ?<.{0,60}> ?)*(?:struct|class|enum|union|namespace|typedef|[\w:*&<>]{2,60} \**[\w:~]+\([^;]{0,200}\)? ?\{?)\s?\w*/,
  },
  { name: 'Ruby', imports: /^require(?:_relative)? ['"]/, definitions: /^\s{0,12}(?:def \w|class \w|module \w)/ },
  { name: 'Shell', imports: /^(?:source |\. )\S/, definitions: /^(?:function \w+|\w+\(\) ?\{)/ },
  {
    name: 'SQL',
    imports: /^$a/,
    definitions: /^\s{0,4}(?:CREATE|ALTER|DROP) (?:\w+ )*(?:TABLE|VIEW|INDEX|FUNCTION|TRIGGER)/i,
  },
];

/** `cat -n`, grep and file tools put a number before each line. */
const numbering = /^\s{0,8}\d{1,7}(?:[\t|:→]| {2})/;
const looked = 400;
const mostImports = 200;
const mostDefinitions = 2_000;

/** The language whose imports and definitions the first lines show most often; undefined when few lines do. */
export function findLanguage(text: string): Language | undefined {
  const lines = firstLines(text, looked).map(bare);
  if (lines.length < 5) return undefined;
  let best: { readonly language: Language; readonly score: number } | undefined;
  for (const language of languages) {
    const imports = lines.filter((line) => language.imports.test(line)).length;
    const definitions = lines.filter((line) => language.definitions.test(line)).length;
    // Few sentences look like an import, some like a definition: alone they do not make code.
    const score = 3 * imports + (imports > 0 || isCodeLike(lines) ? definitions : 0);
    if (score > (best?.score ?? 0)) best = { language, score };
  }
  return best && best.score >= Math.max(3, 0.03 * lines.length) && isCodeLike(lines) ? best.language : undefined;
}

export function codeSynopsis(text: string, language: Language, max: number): string {
  const imports: string[] = [];
  const definitions: string[] = [];
  let lines = 0;
  forEachLine(text, (numbered, index) => {
    lines += 1;
    const line = bare(numbered);
    if (language.imports.test(line)) {
      if (imports.length < mostImports) imports.push(sourceOf(line));
    } else if (definitions.length < mostDefinitions && language.definitions.test(line) && !isStatement(line)) {
      definitions.push(`  ${index + 1}: ${oneLine(line.replace(/\s*\{\s*$/, ''), 140)}`);
    }
  });
  return fitLines(
    [
      `Code, ${language.name}: ${lines} lines, ${definitions.length} definitions`,
      ...(imports.length > 0 ? [`imports: ${oneLine([...new Set(imports)].join(', '), 400)}`] : []),
      ...(definitions.length > 0 ? ['definitions, by line:', ...definitions] : []),
    ],
    max,
  );
}

function bare(line: string): string {
  return line.slice(0, 300).replace(numbering, '');
}

/** Enough lines end or begin as only code does. */
function isCodeLike(lines: readonly string[]): boolean {
  const coded = lines.filter((line) =>
    /[;{}(),:[\]]\s*$|^\s*(?:[#}@]|\/\/|\/\*|\*|end\b|return\b|if\b|def\b)/.test(line),
  );
  return coded.length >= 0.3 * lines.length;
}

function isStatement(line: string): boolean {
  return /^\s*(?:if|for|while|switch|catch|return|else|do|with|await|throw)\b/.test(line);
}

/** What an import names, mostly in quotes. */
function sourceOf(line: string): string {
  const quoted = /['"<]([^'"<>]{1,120})['">]/.exec(line)?.[1];
  return quoted ?? oneLine(line.replace(/^(?:import|from|use|using|pub use|require)\s+/, '').replace(/[;]$/, ''), 80);
}
