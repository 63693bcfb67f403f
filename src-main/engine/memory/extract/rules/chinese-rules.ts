import { namedChinese } from './named-rules.ts';
import type { Rule } from './rule.ts';

const now = '(?:现在|目前|一直|已经|刚|刚刚|最近|仍然|还|就)*';
const degree =
  '(?:真的|其实|还是|比较|更|更加|最|很|非常|特别|尤其|一直|平时|通常|一般|总是|都|也|还|个人|超|超级|挺|蛮|十分)*';
const vague = /^(?:这|那|它|你|他|她|第[一二三]|前者|后者|上面|下面|什么|怎么|哪|吗|呢|一下)/u;

const single = (topic: string, en: string, zh: string) => ({ topic, title: { en, zh }, exclusive: true });
const many = (topic: string, en: string, zh: string) => ({ topic, title: { en, zh } });

function rule(id: string, signal: Rule['signal'], kind: string, pattern: string, more: Partial<Rule> = {}): Rule {
  return { id: `zh.${id}`, signal, kind, pattern: new RegExp(`^${pattern}$`, 'diu'), ...more };
}

const profileSlots = [
  ['birthday', '生日', 'Birthday'],
  ['email', '邮箱|电子邮件|邮件地址', 'E-mail'],
  ['phone', '电话|手机号?|电话号码', 'Phone'],
  ['time-zone', '时区', 'Time zone'],
  ['native-language', '母语', 'Native language'],
  ['occupation', '职业|工作|职位|岗位', 'Occupation'],
  ['age', '年龄', 'Age'],
  ['hometown', '家乡|老家', 'Hometown'],
  ['address', '地址|住址', 'Address'],
  ['nationality', '国籍', 'Nationality'],
  ['blood-type', '血型', 'Blood type'],
  ['operating-system', '操作系统|系统', 'Operating system'],
  ['machine', '电脑|笔记本', 'Machine'],
  ['user-name', '用户名|昵称|网名', 'User name'],
  ['goal', '目标', 'Goal'],
  ['employer', '公司|单位', 'Employer'],
] as const;

const identity: readonly Rule[] = [
  rule('name', 'identity', 'profile', '我(?:的名字)?(?:叫做?|名叫|的名字是|的姓名是|姓)(?<what>[^，,；]{1,30})', {
    ...single('name', 'Name', '姓名'),
    unless: /^(?:你|他|她|它|了|不|什么|外卖|车|人|做)/u,
  }),
  rule(
    'call-me',
    'identity',
    'profile',
    '(?:请|你可以|以后|就|可以|大家都)*(?:叫|称呼|喊)我(?<what>[^，,；]{1,20}?)(?:吧|就行|就好|就可以了?)?',
    {
      ...single('form-of-address', 'Form of address', '称呼'),
      unless: /^(?:起床|做|去|来|怎么|过去|一声|时|的时候)/u,
      says: '用户希望被称为{what}。',
    },
  ),
  rule('employer', 'identity', 'profile', `我${now}(?:在(?<what>[^，,；]{2,40}?)(?:工作|上班|任职|就职|做事))(?:了)?`, {
    ...single('employer', 'Employer', '工作单位'),
    unless: /^(?:家|晚上|周末|努力|这|那)/u,
  }),
  rule(
    'joined',
    'identity',
    'profile',
    `我${now}(?:就职于|任职于|供职于|入职了?|加入了?|跳槽到了?)(?<what>[^，,；]{2,40})`,
    { ...single('employer', 'Employer', '工作单位'), unless: vague, says: '用户在{what}工作。' },
  ),
  rule(
    'residence',
    'identity',
    'profile',
    `(?:我${now}(?:昨天|前天|上周|上星期|上个?月|今年|去年|最近)?(?:住在|居住在|定居在|生活在|搬到了?|搬去了?|搬家到了?)|我家(?:住)?在|我的家在)(?<what>[^，,；]{2,40}?)(?:了|住|生活)?`,
    { ...single('residence', 'Residence', '居住地'), unless: /^(?:这|那|别人|酒店)/u, says: '用户住在{what}。' },
  ),
  rule(
    'from',
    'identity',
    'profile',
    '我(?:来自|老家在|老家是|出生在|出生于|在(?=[^，,；]{2,20}(?:长大|出生)))(?<what>[^，,；]{2,30})',
    single('origin', 'Origin', '家乡'),
  ),
  rule('age', 'identity', 'profile', '我今年(?<what>[\\d一二三四五六七八九十]{1,4})岁(?:了)?', {
    ...single('age', 'Age', '年龄'),
    says: '用户{what}岁。',
  }),
  rule(
    'allergic',
    'identity',
    'profile',
    '我对(?<what>[^，,；]{1,30})(?:严重)?(?:过敏|不耐受)',
    many('health', 'Health', '健康'),
  ),
  rule(
    'diet',
    'identity',
    'profile',
    '我(?:是|现在|一直|已经)*(?<what>素食主义者|素食者|吃素|纯素食者|糖尿病患者|色盲|左撇子)(?:的)?',
    many('health', 'Health', '健康'),
  ),
  rule(
    'family',
    'identity',
    'profile',
    '我(?:家)?(?:有|养了|养着)(?<what>(?:[一两二三四五\\d][个只条位名])?[^，,；]{0,10}(?:孩子|儿子|女儿|狗|猫|哥哥|姐姐|弟弟|妹妹|双胞胎|哮喘|糖尿病)[^，,；]{0,20})',
    many('family', 'Family and health', '家庭与健康'),
  ),
  rule(
    'status',
    'identity',
    'profile',
    '我(?:已经|现在|刚)?(?<what>结婚|离婚|退休|单身|怀孕|订婚|失业)(?:了)?',
    single('status', 'Status', '状况'),
  ),
  ...profileSlots.map(([topic, words, en]) =>
    rule(`my-${topic}`, 'identity', 'profile', `我的?(?:${words})(?:现在)?(?:是|为|：|:)(?<what>[^，,；]{1,60})`, {
      ...single(topic, en, words.split('|')[0] ?? ''),
      unless: /^(?:什么|多少|哪|坏|不对|错|这|那|新的?$)/u,
    }),
  ),
  rule(
    'role',
    'identity',
    'profile',
    '我(?:现在|目前|是|也|就)*是(?:一|1)?(?:名|个|位)?(?<what>[^，,；]{0,30}(?:工程师|程序员|开发者|开发|设计师|经理|学生|老师|教师|教授|医生|护士|律师|科学家|研究员|创始人|作家|记者|艺术家|分析师|顾问|架构师|会计|厨师|翻译|编辑|摄影师|运维|产品|老板|自由职业者|研究生|博士|实习生|新手|初学者|爸爸|妈妈|人))',
    {
      ...many('occupation', 'Occupation', '职业'),
      unless: /(?:本人|好人|别人|那个人|这种人|个人|一个人|第一个|负责人吗)$/u,
    },
  ),
  rule(
    'speaks',
    'identity',
    'profile',
    '我(?:会说|会讲|说|懂)(?<what>[^，,；]{0,10}(?:语|话|文)(?:[和、与][^，,；]{1,12})?)',
    many('languages', 'Languages', '语言'),
  ),
];

const preferences: readonly Rule[] = [
  rule(
    'favourite',
    'preference',
    'preference',
    '我最(?:喜欢|爱|喜爱)的(?<about>[^，,；]{1,20}?)(?:是|就是|为)(?<what>[^，,；]{1,60})',
    { exclusive: true, topic: '{about}', unless: vague },
  ),
  rule(
    'prefer',
    'preference',
    'preference',
    `我${degree}(?:更喜欢|比较喜欢|更偏好|偏好|偏爱|偏向|更爱|倾向于|更倾向于|更习惯|宁愿)(?<what>.{1,120})`,
    { exclusive: true, unless: vague },
  ),
  rule(
    'like',
    'preference',
    'preference',
    `我${degree}(?:喜欢|喜爱|热爱|爱好|爱用|爱吃|爱喝|爱看|爱听|习惯用?|常用|钟爱)(?<what>.{1,120})`,
    { unless: /^(?:这|那|它|你|他|她|第[一二三]|上面|什么|吗|的是)/u },
  ),
  rule(
    'dislike',
    'preference',
    'preference',
    `我${degree}(?:讨厌|反感|受不了|厌恶|痛恨|不喜欢|不太喜欢|不爱|不习惯|不想用|不想要|不用|不吃|不喝|从不|从来不)(?<what>.{1,120})`,
    { unless: /^(?:这|那|它|你|他|她|第[一二三]|上面|什么|吗|了$)/u },
  ),
  rule('no-longer', 'preference', 'preference', '我(?:已经)?(?:不再|再也不)(?<what>.{1,80}?)(?:了)?', {
    retires: true,
  }),
  rule(
    'no-longer-le',
    'preference',
    'preference',
    '我(?:现在|已经)(?:不)(?<what>(?:喜欢|用|使用|吃|喝|住在|在)[^，,；]{1,60})了',
    { retires: true },
  ),
  rule(
    'habit',
    'preference',
    'preference',
    '我(?<how>总是|一直|通常|平时|一般|只|每天都?|经常)(?:都|会|是)*(?<what>(?:用|使用|吃|喝|写|看|听|穿|坐|在|早|晚|先|跑)[^？?]{1,100})',
    { unless: /^(?:在(?:想|看|等|改|找|弄|修|调试))/u },
  ),
  rule(
    'switched',
    'preference',
    'preference',
    '我(?:已经|最近|刚|现在)*(?:从(?<old>[^，,；]{1,20}?))?(?:换成|换到|改用|转用|转向|迁移到|切换到)(?:了)?(?<what>[^，,；]{1,60}?)(?:了)?',
    { exclusive: true, denies: 'old', says: '用户改用{what}。' },
  ),
  rule(
    'want-you',
    'rule',
    'preference',
    '我(?:希望|想让|要|要求|想)你(?:以后|总是|每次|一直|都|别|不要|永远|用|尽量|始终|少|多)(?<what>.{1,120})',
    { unless: /(?:这个|那个|这段|一下|现在)/u, says: '{clause}' },
  ),
];

const decisions: readonly Rule[] = [
  rule(
    'decided',
    'decision',
    'event',
    '(?:我们?|团队|咱们|大家|公司)(?:最终|已经|最后|一致|今天|昨天|刚刚|都|终于|暂时|正式|现在|共同|后来|就)*(?:决定|商定|说好|约定|确定|敲定|选定|选择|同意|一致同意|达成一致|定下来)(?:了)?[，,：:]?(?<what>.{2,160})',
    { exclusive: true, unless: /^(?:这|那|它|你|吗|不了|不下来|睡|休息|回家|下班|吃饭|去吃)/u },
  ),
  rule(
    'lets',
    'decision',
    'event',
    '(?:那|好，?|行，?|那么|就这么定了，?)*(?:就|咱们就?|我们就|最终)?(?:用|选|采用|选用|定为|按)(?<what>[^，,；吧]{1,80}?)(?:吧|就好了?|就行了?|了)',
    { exclusive: true, unless: vague, says: '决定：采用{what}。' },
  ),
  rule('conclusion', 'decision', 'event', '(?:最终)?(?:决定|结论|定论)(?:是|：|:|为)[：:]?(?<what>.{2,160})', {
    exclusive: true,
    unless: vague,
    says: '决定：{what}。',
  }),
  rule(
    'adopt',
    'decision',
    'event',
    '(?:我们|咱们|团队)(?:以后|现在|都|统一|将|会|正式)*(?:采用|改用|统一用|统一使用|使用|选用|迁移到|切换到)(?<what>.{1,120}?)(?:\\s*了)?',
    { exclusive: true, unless: vague },
  ),
];

const standing: readonly Rule[] = [
  rule(
    'from-now-on',
    'rule',
    'preference',
    '(?<what>(?:以后|今后|从今以后|从现在起|从现在开始|从今天起|从今天开始|往后|此后|日后|接下来所有)[，,：:]?(?!再说|再聊|见|有空|我们?(?:会|可能|再)|可能|会).{2,200})',
    { conditional: true, says: '{clause}', unless: /(?:再说|再聊|见面?)吧?$/u },
  ),
  rule(
    'condition',
    'rule',
    'preference',
    '(?<what>(?:如果|要是|当|只要)[^，,]{2,60}[，,]?.{0,6}(?:都要|必须|一定要|绝不|总是|永远|务必|不要|不准).{2,120})',
    { conditional: true, says: '{what}' },
  ),
  rule(
    'never',
    'rule',
    'preference',
    '(?:请)?(?:你)?(?<what>(?:绝不|绝对不|绝不能|绝对不要|永远不要|永远别|永远不|千万不要|千万别|禁止|不准|不许|不得|切勿|严禁).{2,160})',
    {
      conditional: true,
      says: '{what}',
      unless: /^(?:千万不要|千万别)(?:担心|着急|误会|客气)|^绝不是|^绝对不(?:是|会|可能)/u,
    },
  ),
  rule(
    'always',
    'rule',
    'preference',
    '(?:请)?(?:你)?(?<what>(?:永远|务必|一定要|必须|始终|总是|每次都|每次(?=[^，,]{1,30}(?:都|要|必须)))(?!是).{2,160})',
    { conditional: true, says: '{what}', unless: /(?:这个|那个|这次|今天|现在|马上|一下)/u },
  ),
  rule('default', 'rule', 'preference', '(?<what>(?:默认|一律|统一)(?:用|使|使用|采用|按|以|不).{1,160})', {
    conditional: true,
    says: '{what}',
  }),
  rule(
    'do-not',
    'rule',
    'preference',
    '(?:请)?(?:你)?(?<what>(?:不要再?|别再?)(?:用|使用|说|写|叫|加|添加|给我|在|把|自动|道歉|重复|问我|提|发|解释).{1,120})',
    { says: '{what}', unless: /(?:这个|那个|这段|这里|那里|它|这行|这次|现在|刚才|今天)/u },
  ),
  rule('reply-style', 'rule', 'preference', '(?<what>(?:你的)?(?:回答|回复|解释)(?:都|要|请|应该|尽量|得)+.{1,60})', {
    says: '{what}',
    unless: /(?:这个|那个|这次|一下)/u,
  }),
  rule(
    'respond-in',
    'rule',
    'preference',
    '(?:请)?(?:都|总是|一律)?(?<what>用(?:中文|英文|英语|日语|日文|法语|德语|韩语|简体中文|繁体中文)(?:来)?(?:回答|回复|交流|跟我说|和我说|写注释|写).{0,40})',
    {
      says: '{what}',
      topic: 'reply-language',
      title: { en: 'Language of replies', zh: '回复语言' },
      exclusive: true,
      unless: /(?:这个|这段|一下|这篇|这封|一封|一篇|一个)/u,
    },
  ),
  rule(
    'we-never',
    'rule',
    'preference',
    '(?<what>(?:我们(?:团队|公司)?|团队|咱们)(?:从不|从来不|绝不|总是|只在|一般只|每周|每次)(?:在)?.{2,120})',
    { says: '{clause}' },
  ),
];

const entities: readonly Rule[] = [
  rule(
    'kin',
    'entity',
    'entity',
    '我(?:的|们的?)?(?<about>老婆|妻子|太太|丈夫|老公|先生|女朋友|男朋友|儿子|女儿|爸爸|妈妈|父亲|母亲|哥哥|姐姐|弟弟|妹妹|老板|上司|经理|同事|导师|朋友|室友|狗|猫|宠物|公司|项目|团队|产品)(?:的名字)?(?:叫做?|名叫|是叫|的名字是)(?<what>[^，,；]{1,30})',
    { topic: '{what}', unless: vague },
  ),
  rule(
    'is-our',
    'entity',
    'entity',
    '(?<what>[\\p{Lu}][\\p{L} .-]{1,30}|\\p{Script=Han}{2,4})是我们?(?:的)?(?<about>老板|上司|经理|同事|导师|朋友|老师|医生|律师|产品经理|设计师|室友|客户|合伙人|CTO|CEO|老婆|妻子|丈夫|老公|儿子|女儿|哥哥|姐姐|弟弟|妹妹)(?<more>.{0,40})',
    { topic: '{what}', unless: /^(?:这|那|他|她|它|谁|你|以前|现在|今天|明天)/u },
  ),
];

const events: readonly Rule[] = [
  rule(
    'event',
    'event',
    'event',
    '(?<what>(?=[^？?]*(?:我|我们|团队|公司|项目|咱们))[^？?]*(?:有|去|要去|出差|面试|开会|搬|上线|发布|发版|结婚|毕业|入职|离职|手术|考试|旅行|旅游|参加|见|飞|生日|签了?|完成|举办|休假|请假|约了|回国|开始|截止|交付)[^？?]*)',
    { needsDate: true, says: '{clause}', unless: /问题|报错|错误|看看|试试|改一下|调试|修复|没空|累/u },
  ),
];

/** In the order in which they are tried; the first that fits a clause is the one. */
export const chineseRules: readonly Rule[] = [
  ...standing,
  ...preferences.filter(({ retires }) => retires === true),
  ...identity,
  ...preferences.filter(({ retires }) => retires !== true),
  ...decisions,
  ...events,
  ...entities,
  ...namedChinese,
];
