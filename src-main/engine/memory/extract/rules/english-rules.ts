import { namedEnglish } from './named-rules.ts';
import type { Rule } from './rule.ts';

const adverbs =
  '(?:(?:really|also|just|only|generally|usually|typically|normally|always|strongly|much|personally|absolutely|still|mostly|definitely|actually|often|mainly|primarily|totally|particularly|especially|now|currently) ){0,4}';
const be = "(?:I'm|I am|I’m)";
const deictic =
  /^(?:it|that|this|these|those|them|so|one|you|him|her|the (?:first|second|third|latter|former|last|other|idea|look|sound|way|same)|your (?:idea|answer|suggestion|solution|work|style|plan|approach)|how (?:you|that|this|it)|what you|where this|option \w+|(?:that|this) \w+)\b/i;

/** Relations that are told with "my … is called". */
const kin =
  'wife|husband|partner|spouse|girlfriend|boyfriend|fiance|fiancee|son|daughter|child|kid|baby|mother|mom|mum|father|dad|brother|sister|boss|manager|colleague|coworker|assistant|mentor|therapist|doctor|dentist|lawyer|teacher|landlord|neighbou?r|roommate|flatmate|friend|best friend|co-?founder|dog|cat|parrot|horse|hamster|rabbit|pet|company|startup|team|project|product|app|boat|car';

/** Of a person there is one at a time. */
const single = (topic: string, en: string, zh: string) => ({ topic, title: { en, zh }, exclusive: true });
const many = (topic: string, en: string, zh: string) => ({ topic, title: { en, zh } });

function rule(
  id: string,
  signal: Rule['signal'],
  kind: string,
  pattern: string,
  more: Partial<Rule> = {},
  flags = 'di',
): Rule {
  return { id: `en.${id}`, signal, kind, pattern: new RegExp(`^${pattern}$`, flags), ...more };
}

const profileSlots = [
  ['birthday', 'birthday|birth date|date of birth', 'Birthday', '生日'],
  ['email', 'e-?mail(?: address)?', 'E-mail', '邮箱'],
  ['phone', '(?:phone|mobile|cell)(?: number)?', 'Phone', '电话'],
  ['time-zone', 'time ?zone', 'Time zone', '时区'],
  ['pronouns', 'pronouns', 'Pronouns', '人称'],
  ['native-language', 'native language|mother tongue|first language', 'Native language', '母语'],
  ['occupation', 'job|job title|title|occupation|profession|role', 'Occupation', '职业'],
  ['employer', 'employer', 'Employer', '工作单位'],
  ['hometown', 'home ?town', 'Hometown', '家乡'],
  ['address', '(?:home |postal )?address', 'Address', '地址'],
  ['nationality', 'nationality', 'Nationality', '国籍'],
  ['blood-type', 'blood type', 'Blood type', '血型'],
  ['github', 'github(?: (?:handle|username|account|user))?', 'GitHub', 'GitHub'],
  ['user-name', 'user ?name|handle|nickname', 'User name', '用户名'],
  ['operating-system', 'os|operating system|distro', 'Operating system', '操作系统'],
  ['shell', 'shell|terminal', 'Shell', '终端'],
  ['machine', 'laptop|computer|machine|workstation', 'Machine', '电脑'],
  ['goal', '(?:main |long-term |current )?goal', 'Goal', '目标'],
] as const;

const identity: readonly Rule[] = [
  rule('name', 'identity', 'profile', "my (?:full |first |last |real |given )?name(?:'s|’s| is) (?<what>[^,;]{1,60})", {
    ...single('name', 'Name', '姓名'),
    unless: /^(?:not|on|in|the|a|an|spelled|wrong|correct)\b/i,
  }),
  rule(
    'call-me',
    'identity',
    'profile',
    '(?:(?:please|you can|you may|just) ){0,2}call me (?<what>[^,;]{1,40}?)(?:,? please)?',
    {
      ...single('form-of-address', 'Form of address', '称呼'),
      unless: /^(?:when|back|later|if|at|on|tomorrow|crazy|old|a|an|in|once|after|before|maybe)\b/i,
      says: 'The user wants to be called {what}.',
    },
  ),
  rule('go-by', 'identity', 'profile', 'I go by (?<what>[^,;]{1,40})', {
    ...single('form-of-address', 'Form of address', '称呼'),
    says: 'The user wants to be called {what}.',
  }),
  rule(
    'employer',
    'identity',
    'profile',
    `(?:I|${be})(?: (?:currently|now|still|also))? work(?:ing)? (?:at|for) (?<what>.{2,120}?)(?: now| these days)?`,
    {
      ...single('employer', 'Employer', '工作单位'),
      unless:
        /^(?:home|night|it|me|now|this|that|the moment|the best|hours|days|weeks|a while|free|you|both|weekends|the weekend)\b/i,
    },
  ),
  rule(
    'joined',
    'identity',
    'profile',
    "I(?:'ve|’ve| have)?(?: (?:just|recently))? (?:joined|started(?: working)? at|started a (?:new )?job at) (?<what>\\p{Lu}.{1,100})",
    { ...single('employer', 'Employer', '工作单位'), says: 'The user works at {what}.' },
    'du',
  ),
  rule(
    'work-as',
    'identity',
    'profile',
    `(?:I|${be})(?: (?:currently|now|still|also))? work(?:ing)? as (?<what>.{2,120})`,
    many('occupation', 'Occupation', '职业'),
  ),
  rule('work-in', 'identity', 'profile', 'I(?: (?:currently|now|mostly))? work in (?<what>.{2,80})', {
    ...many('field', 'Field of work', '工作领域'),
    unless: /^(?:this|that|the (?:morning|evening|afternoon|office|same|file|repo)|it|bursts|sprints|pairs|silence)\b/i,
  }),
  rule(
    'residence',
    'identity',
    'profile',
    `(?:I|${be})(?: (?:currently|now|still|also))? (?:live|living|reside|based) (?:in|near|at|on|out of) (?<what>.{2,100}?)(?: now| these days)?`,
    {
      ...single('residence', 'Residence', '居住地'),
      unless: /^(?:fear|hope|peace|a simulation|the moment|denial|my head|this)\b/i,
    },
  ),
  rule(
    'moved-to',
    'identity',
    'profile',
    "I(?:'ve|’ve| have)?(?: (?:just|recently|finally))? (?:moved|relocated)(?: from (?<old>[^,]{2,60}?))? to (?<what>(?!the |a |my |this |that |using )[^,]{2,80}?)(?: (?:last|this) \\w+| recently| \\d{4}[-\\d]*| (?:in|on) \\d{4}[-\\d]*)?",
    { ...single('residence', 'Residence', '居住地'), says: 'The user lives in {what}.', denies: 'old' },
  ),
  rule('from', 'identity', 'profile', `(?:${be}|I come)(?: originally)? from (?<what>[^,]{2,80})`, {
    ...single('origin', 'Origin', '家乡'),
    unless: /^(?:it|this|that|the future|work|above|scratch)\b/i,
  }),
  rule(
    'born',
    'identity',
    'profile',
    "(?:I was|I’m|I'm) born (?<what>(?:in|on|at) [^,]{2,80})",
    single('birth', 'Birth', '出生'),
  ),
  rule('age', 'identity', 'profile', `(?:${be}) (?<what>\\d{1,3})(?: years? old)`, single('age', 'Age', '年龄')),
  rule(
    'raised',
    'identity',
    'profile',
    'I grew up (?<what>(?:in|on|near) [^,]{2,80})',
    single('childhood', 'Childhood', '成长地'),
  ),
  rule(
    'speaks',
    'identity',
    'profile',
    'I (?:also )?speak (?<what>(?:(?:a (?:little|bit of)|some|fluent|basic|only|both) )?\\p{Lu}\\p{Ll}+.{0,80})',
    many('languages', 'Languages', '语言'),
    'du',
  ),
  rule(
    'studied',
    'identity',
    'profile',
    `(?:I|${be}) (?:studied|studying|study|majored in|graduated (?:from|in)) (?<what>.{2,100})`,
    {
      ...many('education', 'Education', '教育'),
      unless: /^(?:it|this|that|the (?:code|docs|file|logs?|problem|issue))\b/i,
    },
  ),
  rule(
    'allergic',
    'identity',
    'profile',
    `(?:${be})(?: (?:very|severely|highly|also|badly))? (?:allergic to|intolerant (?:to|of)) (?<what>.{2,100})`,
    many('health', 'Health', '健康'),
  ),
  rule(
    'condition',
    'identity',
    'profile',
    `(?:${be})(?: (?:a|also|strictly|now))* (?<what>(?:strict )?(?:vegetarian|vegan|pescatarian|diabetic|colou?r-?blind|left-handed|right-handed|deaf|blind|dyslexic|autistic|lactose intolerant|gluten[- ]free|muslim|jewish|christian|buddhist|hindu)(?: and .{2,60})?)`,
    many('health', 'Health', '健康'),
  ),
  rule(
    'family',
    'identity',
    'profile',
    `(?:I have|I've got|I’ve got) (?<what>(?:(?:an?|one|two|three|four|five|six|\\d)\\b.{0,30}?\\b)?(?:kids?|children|sons?|daughters?|dogs?|cats?|brothers?|sisters?|siblings|twins|wife|husband|diabetes|adhd|asthma|epilepsy|migraines|dyslexia|celiac disease)\\b.{0,80})`,
    many('family', 'Family and health', '家庭与健康'),
  ),
  rule(
    'status',
    'identity',
    'profile',
    `(?:${be})(?: (?:now|recently|happily))* (?<what>married|divorced|engaged|widowed|retired|single|pregnant|self-employed|unemployed|freelancing)(?: .{1,60})?`,
    single('status', 'Status', '状况'),
  ),
  ...profileSlots.map(([topic, words, en, zh]) =>
    rule(`my-${topic}`, 'identity', 'profile', `my (?:${words}) (?:is|are|'s) (?:now )?(?<what>.{1,200})`, {
      ...single(topic, en, zh),
      unless:
        /^(?:not (?:working|relevant|important)|to (?:fix|get|make|finish)|that|broken|slow|wrong|crashing|stuck|dead|full|acting|at|the same|so|too)\b/i,
    }),
  ),
  rule(
    'role',
    'identity',
    'profile',
    `${be} (?:currently |now |also )*(?<what>(?:an?|the) (?:[\\w+#./-]+ ){0,4}?(?:engineer|developer|programmer|designer|manager|student|teacher|professor|doctor|nurse|lawyer|scientist|researcher|founder|cto|ceo|cfo|coo|writer|author|journalist|artist|musician|analyst|consultant|architect|accountant|chef|pilot|electrician|mechanic|freelancer|contractor|intern|lead|director|admin|administrator|sysadmin|translator|editor|photographer|physicist|biologist|chemist|mathematician|economist|therapist|psychologist|veterinarian|pharmacist|dentist|surgeon|physician|salesperson|marketer|owner|entrepreneur|investor|librarian|farmer|carpenter|plumber|barista|maintainer|parent|father|mother|native speaker|beginner|citizen|resident)s?\\b.{0,160})`,
    { ...many('occupation', 'Occupation', '职业'), unless: /^(?:an?|the) (?:bit|little|only|one)\b/i },
  ),
  rule('role-other', 'identity', 'profile', `${be} (?<what>an? [a-z][\\w-]*(?: [\\w-]+){0,3})`, {
    ...many('about', 'About', '简介'),
    unless:
      /^an? (?:bit|little|lot|tad|few|big|huge|great|fan|moment|while|day|week|month|minute|step|loss|fool|idiot|mess|mistake|problem|kind|sort|way|couple|hurry|rush|good|bad|newbie at this|position|meeting|call)\b/i,
  }),
];

const preferences: readonly Rule[] = [
  rule('prefer', 'preference', 'preference', `I ${adverbs}prefer (?<what>.{2,300})`, {
    exclusive: true,
    unless: deictic,
  }),
  rule(
    'like',
    'preference',
    'preference',
    `I ${adverbs}(?:like|love|enjoy|adore|favou?r|appreciate) (?<what>.{2,300})`,
    {
      unless:
        /^(?:it|that|this|these|those|them|so|you|him|her|your|how|where|what|the (?:first|second|third|latter|former|last|other|idea|look|sound|way|fact|result|new|concept|direction)|to (?:know|see|thank|ask|add|have|get|make)|option|everything|all of)\b/i,
    },
  ),
  rule(
    'dislike',
    'preference',
    'preference',
    `I ${adverbs}(?:hate|dislike|detest|loathe|can't stand|can’t stand|cannot stand|can't bear|avoid) (?<what>.{2,300})`,
    {
      unless:
        /^(?:it|that|this|these|those|them|you|him|her|your|how|when (?:it|this|that)|to (?:say|ask|bother|break|admit|be)|the (?:first|second|idea|way|result|error|new)|myself)\b/i,
    },
  ),
  rule(
    'do-not-like',
    'preference',
    'preference',
    `I (?:really |also |personally )*(?:don't|don’t|do not|never) (?:really |particularly |personally )*(?:like|enjoy|care for|use|eat|drink|want|watch|wear|trust) (?<what>.{2,300})`,
    {
      unless:
        /^(?:it|that|this|these|those|them|you|him|her|your|how|to (?:know|talk|be|go|do|have|see|wait|lose|break|spend|think)|the (?:first|second|idea|way|result|look|one|latter|new)|any (?:of|more)|anything|everything|either|what)\b/i,
    },
  ),
  rule(
    'fan',
    'preference',
    'preference',
    `${be} (?:also )?(?:not )?(?:an? )?(?:(?:big|huge|great|real|massive) )?(?:fan of|fond of|keen on|into) (?<what>.{2,200})`,
    { unless: deictic },
  ),
  rule(
    'favourite',
    'preference',
    'preference',
    'my (?:all-time )?favou?rite (?<about>[^,]{2,60}?) (?:is|are|has always been) (?<what>.{1,200})',
    { exclusive: true, topic: '{about}', unless: deictic },
  ),
  rule(
    'habit',
    'preference',
    'preference',
    'I (?<how>always|usually|mostly|generally|normally|typically|only|never|mainly|primarily|exclusively|rarely) (?<verb>use|write|work|drink|eat|take|wear|read|run|code|buy|pay|drive|travel|fly|watch|play|listen|start|sleep|wake|get up|cook|order|choose|test|deploy|commit|format|name|type|store|keep) (?<what>.{2,240})',
    { unless: deictic },
  ),
  rule(
    'use-as',
    'preference',
    'preference',
    'I use (?<what>[^,]{2,80}? (?:as my|for (?:all |most |my )|as the|on all|every day|daily|instead of).{0,160})',
    { unless: /^(?:it|this|that|these|those)\b/i },
  ),
  rule(
    'work-from',
    'preference',
    'preference',
    'I (?:usually |always |mostly |normally )?work (?<what>(?:from home|remotely|at night|in the (?:mornings?|evenings?)|on weekends|part[- ]time|best .{2,60}).{0,100})',
    { topic: 'working habits', title: { en: 'Working habits', zh: '工作习惯' } },
  ),
  rule(
    'switched',
    'preference',
    'preference',
    "I(?:'ve|’ve| have)?(?: (?:just|recently|finally|now|completely))* (?:switched|migrated|converted|changed)(?: over)?(?: from (?<old>[^,]{2,60}?))? to (?<what>(?!the (?:branch|other|next))[^,]{2,120})",
    { exclusive: true, denies: 'old', unless: deictic, says: 'The user switched to {what}.' },
  ),
  rule(
    'no-longer',
    'preference',
    'preference',
    'I no longer (?<what>(?:like|love|use|prefer|drink|eat|work|live|want|need|own|have|play|speak|drive|support|trust)\\b.{2,200})',
    { retires: true },
  ),
  rule(
    'not-any-more',
    'preference',
    'preference',
    "I (?:don't|don’t|do not) (?<what>(?:like|love|use|prefer|drink|eat|work|live|want|need|own|have|play|speak|drive|support|trust)\\b.{2,200}?) (?:any ?more|any longer)",
    { retires: true },
  ),
  rule(
    'stopped',
    'preference',
    'preference',
    "I(?:'ve|’ve| have)?(?: (?:just|recently|finally))? (?:stopped|quit|given up|gave up) (?<what>.{2,120})",
    {
      retires: true,
      unless:
        /^(?:the (?:server|process|service|container|app|daemon|job|build|vm)|it|that|this|trying|reading|here|there)\b/i,
      says: 'The user stopped {what}.',
    },
  ),
  rule(
    'want-you',
    'rule',
    'preference',
    "I(?:'d like| would like| want|’d like| need) (?:you to (?:always|never)|all (?:of )?(?:your )?(?:answers|replies|responses|code|commits)(?: to)?|your (?:answers|replies|responses)(?: to)?) (?<what>.{2,240})",
  ),
  rule(
    'do-not-want-you',
    'rule',
    'preference',
    "I (?:don't|don’t|do not|never) want you to (?<what>(?:use|write|add|say|call|send|ask|include|commit|push|delete|run|mention|apologi[sz]e|start|end|explain)\\b.{2,240})",
    { unless: /\b(?:this|that|it|these|those|now|yet|today)\b/i },
  ),
  rule(
    'keep-replies',
    'rule',
    'preference',
    '(?:please )?(?:keep|make) (?:all )?(?:of )?your (?<what>(?:answers|replies|responses|explanations|messages) .{2,120})',
    { says: 'The user wants the agent to keep its {what}.' },
  ),
];

const decisions: readonly Rule[] = [
  rule(
    'decided',
    'decision',
    'event',
    "(?:we|I|the team|our team)(?:'ve|’ve| have)?(?: (?:all|both|finally|just|now|already|also|unanimously|collectively|together|then|officially|ultimately|eventually)){0,3} (?:decided|agreed|settled|chosen|chose|picked|opted|committed|concluded|resolved|standardi[sz]ed)(?: (?:today|yesterday|together))? (?<what>.{2,300})",
    {
      exclusive: true,
      keepsWeekday: true,
      unless:
        /^(?:nothing|yet|it|that|this|with (?:you|him|her|them|that)|(?:to|on|for|against|upon) (?:it|that|this|them|those|take a (?:break|nap|walk)|go (?:home|to bed|to sleep)|disagree|wait(?!,? (?:on|for|until|till|with)\b)|ask you|leave it)\b)/i,
    },
  ),
  rule(
    'promised',
    'decision',
    'event',
    "I(?:'ve|’ve| have)?(?: (?:just|also|already|now))? promised (?<what>(?!to (?:be|stop|never)\\b|myself\\b|(?:it|that|this|you)\\b).{4,300})",
    { keepsWeekday: true },
  ),
  rule(
    'going-with',
    'decision',
    'event',
    "(?:we|I)(?:'re|’re| are|'m|’m| am|'ll|’ll| will)(?: (?:now|just|all|definitely|finally))? (?:going (?:to go )?with|go with|going to use|sticking with|standardi[sz]ing on|adopting|switching to|migrating to) (?<what>.{2,240})",
    { exclusive: true, unless: deictic },
  ),
  rule(
    'lets',
    'decision',
    'event',
    "(?:ok(?:ay)?,? |so |then |right,? )*let(?:'s|’s| us) (?:just |definitely |simply |all )?(?:go (?:ahead )?with|stick (?:with|to)|settle on|standardi[sz]e on|adopt|stay with|switch to|use (?=.{2,80} (?:for|as|instead|everywhere|from)\\b)) ?(?<what>.{2,240})",
    { exclusive: true, unless: deictic, says: 'Decided: go with {what}.' },
  ),
  rule(
    'decision-is',
    'decision',
    'event',
    '(?:(?:the|our|final|my) )*decision(?: is|:|：| was)(?: to| that)? ?(?<what>.{3,300})',
    {
      exclusive: true,
      unless: /^(?:yours|up to|pending|not (?:made|final)|hard|easy|difficult|still|made)\b/i,
      says: 'Decided: {what}.',
    },
  ),
  rule(
    'it-is-decided',
    'decision',
    'event',
    "(?:it(?:'s|’s| is| was| has been)) (?:decided|agreed|settled)(?: that|[:,])? (?<what>.{3,300})",
    { exclusive: true, says: 'Decided: {what}.' },
  ),
  rule(
    'we-use',
    'decision',
    'event',
    'we (?:always |only |now |currently |exclusively )?use (?<what>(?!it|this|that|these|those)[^,]{2,100}? (?:for|as|instead of|to|in|on|across) .{2,160})',
    {},
  ),
];

const standing: readonly Rule[] = [
  rule(
    'from-now-on',
    'rule',
    'preference',
    '(?:from now on|going forward|from here on(?: out| in)?|from today(?: on)?|in (?:the )?future|henceforth|starting (?:today|now)|for (?:all )?future (?:\\w+ )?(?:tasks|requests|answers|replies|conversations|sessions|messages)|by default|as a (?:general )?rule|(?:every|each) time|whenever|when(?:ever)? I (?:ask|say|send|paste|share|mention|write|give|want)\\b[^,]{0,120},|(?:if|unless|when|before|after) [^,]{3,160},(?= ?(?:please |you (?:must|should) )?(?:always|never)\\b))[,:]? ?(?<what>.{3,300})',
    {
      conditional: true,
      unless: /^(?:I|we)(?:'ll|’ll| will)\b|^(?:we|I|it|you|they)(?:'ll| will)? (?:see|hope|think|may|might|could)\b/i,
      says: '{clause}',
    },
  ),
  rule(
    'from-now-on-after',
    'rule',
    'preference',
    '(?:please |you should |you must |I want you to )?(?<what>(?!I |we |it |they |he |she )[a-z][^?]{3,240}?),? (?:from now on|going forward|from here on(?: out)?|in (?:the )?future|every time|by default)',
    { conditional: true, says: '{clause}' },
  ),
  rule(
    'always',
    'rule',
    'preference',
    '(?:please |you (?:should|must|need to|have to|are to) |make sure (?:you |to |that you )?|be sure to |remember to |try to )?(?<what>always (?!has|have been|was|is|been|will)[a-z]+\\b.{2,240})',
    { conditional: true, says: '{what}' },
  ),
  rule(
    'never',
    'rule',
    'preference',
    "(?:please )?(?:you (?:should|must|may|can) )?(?<what>(?:never(?: ever)?|don't ever|don’t ever|do not ever) (?!mind|say never|been|again$|give up|seen|heard|had|thought|knew|happened|worked|works)[a-z]+\\b.{2,240})",
    { conditional: true, says: '{what}' },
  ),
  rule(
    'must-not',
    'rule',
    'preference',
    '(?:you|the agent|agents) (?:must not|must never|may not|are not allowed to|should not ever) (?<what>.{3,240})',
    { conditional: true, unless: /\b(?:this|that|it)$/i, says: 'Never {what}' },
  ),
  rule(
    'do-not-again',
    'rule',
    'preference',
    "(?:please )?(?:don't|don’t|do not) (?<what>.{3,240}?) (?:ever(?: again)?|again|any ?more|without (?:asking|my|telling).{0,80}|unless I .{2,80})",
    { says: '{clause}', unless: /\b(?:this|that|it)$/i },
  ),
  rule(
    'stop',
    'rule',
    'preference',
    '(?:please )?stop (?<what>(?:using|adding|writing|saying|calling|apologi[sz]ing|including|sending|asking|mentioning|suggesting|explaining|repeating|starting|ending|being)\\b.{2,200})',
    { unless: /\b(?:this|that|it)$/i, says: 'Never again: {what}' },
  ),
  rule(
    'we-never',
    'rule',
    'preference',
    'we (?<how>always|never|only) (?<what>(?:deploy|release|merge|commit|use|write|review|test|ship|push|squash|rebase|tag|run|meet|work|name|log|pin|sign)\\b.{2,240})',
    { says: '{clause}' },
  ),
  rule(
    'every-must',
    'rule',
    'preference',
    '(?:all|every|each) (?<what>[^,]{2,60} must (?:always |never |not )?(?:be|have|include|use|start|end|go|carry|follow|pass|contain)\\b.{2,200})',
    { says: '{clause}', conditional: true },
  ),
  rule(
    'respond-in',
    'rule',
    'preference',
    '(?:please )?(?:always )?(?:reply|respond|answer|write|talk|speak)(?: to me)? (?<what>(?:only )?in (?:english|chinese|mandarin|german|french|spanish|japanese|korean|italian|russian|portuguese|dutch)\\b.{0,80})',
    {
      says: '{clause}',
      topic: 'reply-language',
      title: { en: 'Language of replies', zh: '回复语言' },
      exclusive: true,
    },
  ),
];

const entities: readonly Rule[] = [
  rule(
    'kin',
    'entity',
    'entity',
    `(?:my|our) (?<about>${kin})(?:'s|’s)?(?: name)? (?:is called|is named|are called|is|was) (?<what>\\p{Lu}[\\p{L}'’.-]*(?: \\p{Lu}[\\p{L}'’.-]*){0,3}(?:,? (?:who|a|an|the|and) .{2,120})?)`,
    { topic: '{what}' },
    'diu',
  ),
  rule(
    'named',
    'entity',
    'entity',
    '(?:my|our) (?<about>[a-z][\\w -]{1,40}?) (?:is called|is named|is code-?named|goes by the name(?: of)?) (?<what>[^,]{2,80})',
    { topic: '{what}', unless: deictic },
  ),
  rule(
    'is-our',
    'entity',
    'entity',
    "(?<what>\\p{Lu}[\\p{L}'’.-]*(?: \\p{Lu}[\\p{L}'’.-]*){0,3}) (?:is|was) (?<about>(?:my|our) .{2,160})",
    {
      topic: '{what}',
      unless:
        /^(?:It|This|That|He|She|They|What|Who|Here|There|Which|Where|Today|Tomorrow|These|Those|Everything|Nothing|Something)\b/,
    },
    'du',
  ),
  rule(
    'third-person',
    'entity',
    'entity',
    "(?<what>\\p{Lu}[\\p{L}'’.-]*(?: \\p{Lu}[\\p{L}'’.-]*){0,3}) (?<about>(?:works (?:at|for|as|on|in|with)|founded|co-?founded|is the (?:ceo|cto|cfo|coo|founder|head|lead|director|owner|maintainer|author|manager|designer|chair)|leads|runs|joined|invested in|advises|lives in|reports to|maintains|owns|acquired|was born)\\b.{2,160})",
    {
      topic: '{what}',
      unless:
        /^(?:It|This|That|He|She|They|What|Who|Here|There|Which|Where|Everything|Nothing|Something|Someone|The|Nobody|Everyone|One|Everybody|Each|Every)\b/,
    },
    'du',
  ),
];

const events: readonly Rule[] = [
  rule(
    'event',
    'event',
    'event',
    "(?<what>(?:I|we|I've|we've|I’ve|I'm|we're|I’m|my [\\w ]{2,40}|our [\\w ]{2,40}|the [\\w -]{2,40})(?:'s|’s)? ?(?:am|are|is|was|were|have|has|had|got|will|'ll|going|flying|travel(?:l)?ing|moving|meeting|visiting|starting|leaving|getting|giving|went|moved|started|joined|left|released|launched|shipped|met|visited|bought|sold|finished|graduated|passed|signed|adopted|celebrated|married|hired|fired|fly|flies|leaves|arrives|departs|travel|move|meet|start|leave|release|launch|ship|deployed|migrated|opened|closed|attended|ran|won|lost|broke|retired|begins?|ends?|starts)\\b.{2,280})",
    {
      needsDate: true,
      says: '{clause}',
      unless:
        /\b(?:question|problem|bug|issue|error|look(?:ing|ed)?|check(?:ing|ed)?|try(?:ing)?|tried|idea|fix(?:ing|ed)?|debug\w*|refactor\w*|store tomorrow|tired|hungry|sick|busy|late)\b/i,
    },
  ),
];

/** In the order in which they are tried; the first that fits a clause is the one. */
export const englishRules: readonly Rule[] = [
  ...standing,
  ...preferences.filter(({ retires }) => retires === true),
  ...identity,
  ...preferences.filter(({ retires }) => retires !== true),
  ...decisions,
  ...events,
  ...entities,
  ...namedEnglish,
];
