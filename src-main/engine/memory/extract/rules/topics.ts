/** A field in which things belong together, whatever they are called. */
export interface TopicFamily {
  readonly key: string;
  readonly title: { readonly en: string; readonly zh: string };
  /** Words that belong to it. */
  readonly words: RegExp;
  /** Of these one is in the place of the other: who chooses one has given up the rest. Groups are spellings of one thing. */
  readonly members: readonly RegExp[];
}

/** What people settle once and change rarely. First match wins. */
export const topicFamilies: readonly TopicFamily[] = [
  family(
    'theme',
    'Theme',
    '界面主题',
    /\b(?:theme|(?:dark|light|night)[ -]mode)\b|主题|(?:深色|浅色|暗色|亮色|夜间|黑暗)模式/i,
    [
      /\b(?:dark|night|black)\b|深色|暗色|夜间|黑暗|黑色/i,
      /\b(?:light|white|bright)\b|浅色|亮色|白色/i,
      /\bhigh[ -]contrast\b|高对比/i,
      /\bsolari[sz]ed\b/i,
    ],
  ),
  family(
    'indentation',
    'Indentation',
    '缩进',
    /\bindent\w*\b|\btabs\b|\b(?:two|four|2|4|eight|8)[ -]spaces?\b|\bspaces (?:over|to|instead)\b|缩进|制表符/i,
    [
      /\btabs?\b|制表符/i,
      /\b(?:two|2)[ -]?spaces?\b|(?:两|2)个?空格/i,
      /\b(?:four|4)[ -]?spaces?\b|(?:四|4)个?空格/i,
      /\bspaces\b|空格/i,
    ],
  ),
  family(
    'editor',
    'Editor',
    '编辑器',
    /\b(?:editors?|ide|vim|neovim|nvim|emacs|vs ?code|visual studio code|sublime(?: text)?|intellij|webstorm|pycharm|zed|helix)\b|编辑器/i,
    [
      /\b(?:neo|n)?vim\b/i,
      /\bemacs\b/i,
      /\bvs ?code\b|\bvisual studio code\b/i,
      /\bsublime\b/i,
      /\bintellij\b/i,
      /\bwebstorm\b/i,
      /\bpycharm\b/i,
      /\bzed\b/i,
      /\bhelix\b/i,
    ],
  ),
  family('package-manager', 'Package manager', '包管理器', /\b(?:package manager|npm|pnpm|yarn|bun)\b|包管理/i, [
    /\bnpm\b/i,
    /\bpnpm\b/i,
    /\byarn\b/i,
    /\bbun\b/i,
  ]),
  family(
    'database',
    'Database',
    '数据库',
    /\b(?:databases?|db|postgres(?:ql)?|mysql|mariadb|sqlite|mongo(?:db)?|dynamodb|cockroachdb|duckdb|oracle)\b|数据库/i,
    [
      /\bpostgres(?:ql)?\b/i,
      /\bmysql\b/i,
      /\bmariadb\b/i,
      /\bsqlite\b/i,
      /\bmongo(?:db)?\b/i,
      /\bdynamodb\b/i,
      /\bcockroachdb\b/i,
      /\bduckdb\b/i,
      /\boracle\b/i,
    ],
  ),
  family(
    'reply-language',
    'Language of replies',
    '回复语言',
    /\b(?:repl(?:y|ies)|respond|responses?|answers?|speak|talk|write|communicate)\b.{0,40}\bin (?:english|chinese|mandarin|german|french|spanish|japanese|korean|italian|russian|portuguese|dutch)\b|(?:用|使用|说|讲)(?:中文|英文|英语|汉语|普通话|日语|日文|法语|德语|韩语)|(?:中文|英文|英语|日语|日文|法语|德语|韩语)(?:回答|回复|交流|写|注释)/i,
    [
      /\benglish\b|英文|英语/i,
      /\b(?:chinese|mandarin)\b|中文|汉语|普通话/i,
      /\bgerman\b|德语/i,
      /\bfrench\b|法语/i,
      /\bspanish\b/i,
      /\bjapanese\b|日语|日文/i,
      /\bkorean\b|韩语/i,
      /\bitalian\b/i,
      /\brussian\b/i,
      /\bportuguese\b/i,
      /\bdutch\b/i,
    ],
  ),
  family(
    'reply-style',
    'Style of replies',
    '回复风格',
    /\b(?:short|brief|concise|terse|long|detailed|verbose|formal|informal|casual)\b.{0,20}\b(?:answers?|repl(?:y|ies)|responses?|explanations?)\b|\b(?:answers?|repl(?:y|ies)|responses?|explanations?)\b.{0,20}\b(?:short|brief|concise|terse|long|detailed|verbose|formal|informal|casual)\b|(?:回答|回复|解释).{0,10}(?:简短|简洁|详细|简单|正式|口语)|(?:简短|简洁|详细|简单|正式|口语).{0,6}(?:回答|回复|解释)/i,
    [/\b(?:short|brief|concise|terse)\b|简短|简洁|简单/i, /\b(?:long|detailed|verbose)\b|详细/i],
  ),
  family('emoji', 'Emoji', '表情符号', /\bemojis?\b|表情/i, []),
  family(
    'units',
    'Units of measurement',
    '计量单位',
    /\b(?:metric|imperial|celsius|fahrenheit|kilomet(?:er|re)s|miles)\b|公制|英制|摄氏|华氏/i,
    [/\b(?:metric|celsius|kilomet(?:er|re)s)\b|公制|摄氏/i, /\b(?:imperial|fahrenheit|miles)\b|英制|华氏/i],
  ),
  family('time-format', 'Time format', '时间格式', /\b(?:24|12)[ -]?h(?:our)?s?\b|(?:24|12)小时制/i, [
    /\b24|24小时/i,
    /\b12|12小时/i,
  ]),
  family(
    'test-framework',
    'Test framework',
    '测试框架',
    /\b(?:jest|vitest|mocha|pytest|unittest|test(?:ing)? framework)\b|测试框架/i,
    [/\bjest\b/i, /\bvitest\b/i, /\bmocha\b/i, /\bpytest\b/i, /\bunittest\b/i],
  ),
  family(
    'web-framework',
    'Web framework',
    '前端框架',
    /\b(?:react|vue|svelte|angular|solidjs|front-?end framework)\b|前端框架/i,
    [/\breact\b/i, /\bvue\b/i, /\bsvelte\b/i, /\bangular\b/i, /\bsolidjs\b/i],
  ),
  family(
    'cloud',
    'Cloud provider',
    '云服务商',
    /\b(?:aws|gcp|azure|google cloud|cloud provider|hetzner|fly\.io)\b|云服务|阿里云|腾讯云/i,
    [/\baws\b/i, /\b(?:gcp|google cloud)\b/i, /\bazure\b/i, /\bhetzner\b/i, /\bfly\.io\b/i, /阿里云/, /腾讯云/],
  ),
  family('licence', 'Licence', '许可证', /\b(?:licen[cs]e|mit|apache[ -]2(?:\.0)?|agpl|gpl)\b|许可证/i, [
    /\bmit\b/i,
    /\bapache\b/i,
    /\bagpl\b/i,
    /\bgpl\b/i,
  ]),
  family('quotes', 'Quotation marks in code', '引号', /\b(?:single|double) quotes\b|[单双]引号/i, [
    /\bsingle\b|单引号/i,
    /\bdouble\b|双引号/i,
  ]),
  family(
    'seat',
    'Seat',
    '座位',
    /\b(?:aisle|window|middle)(?: seats?)?\b.*\bseats?\b|\b(?:aisle|window) seats?\b|靠窗|靠走道|靠过道/i,
    [/\baisle\b|走道|过道/i, /\bwindow\b|靠窗/i],
  ),
  family('drinks', 'Drinks', '饮品', /\b(?:coffee|tea|espresso|latte|cappuccino)\b|咖啡|喝茶|绿茶|红茶|奶茶|^茶/i, [
    /\b(?:coffee|espresso|latte|cappuccino)\b|咖啡/i,
    /\btea\b|茶/i,
  ]),
  family(
    'diet',
    'Diet',
    '饮食',
    /\b(?:vegetarian|vegan|pescatarian|diet|gluten|lactose|halal|kosher|allergic|meat|food|cuisine|cilantro|coriander)\b|素食|吃素|过敏|清真|忌口|吃辣|辣/i,
    [],
  ),
];

/** Pairs that cannot both be wanted of the same thing. */
export const opposites: readonly (readonly [RegExp, RegExp])[] = (
  [
    ['dark|深色|暗色', 'light|bright|浅色|亮色'],
    ['small|short|小|短', 'large|big|long|大|长'],
    ['hot|热', 'cold|iced|冷|冰'],
    ['early|早', 'late|晚'],
    ['mornings?|早上|上午', 'evenings?|nights?|晚上|夜里'],
    ['formal|正式', 'informal|casual|随意|口语'],
    ['verbose|detailed|详细', 'concise|brief|terse|简洁|简短'],
    ['sync|synchronous|同步', 'async|asynchronous|异步'],
    ['public|公开', 'private|私有'],
    ['manual|手动', 'automatic|自动'],
    ['remote|远程', 'on-?site|office|现场|办公室'],
    ['functional|函数式', 'object-oriented|面向对象'],
    ['squash', 'merge commits?'],
    ['rebase|rebasing', 'merge|merging'],
    ['monolith|单体', 'microservices?|微服务'],
    ['rest', 'graphql'],
    ['spicy|辣', 'mild|清淡'],
    ['sweet|甜', 'savou?ry|咸'],
  ] as const
).map(([one, other]) => [bounded(one), bounded(other)] as const);

export function familyOf(text: string): TopicFamily | undefined {
  return topicFamilies.find(({ words }) => words.test(text));
}

function family(key: string, en: string, zh: string, words: RegExp, members: readonly RegExp[]): TopicFamily {
  return { key, title: { en, zh }, words, members };
}

/** Letters need an end; Chinese characters have none. */
function bounded(words: string): RegExp {
  const parts = words.split('|').map((word) => (/^\p{Script=Han}/u.test(word) ? word : `\\b(?:${word})\\b`));
  return new RegExp(parts.join('|'), 'i');
}
