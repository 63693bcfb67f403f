import type { Rule } from './rule.ts';

/**
 * What users say of the people, projects and things around them: a name as the subject, right before a verb of what one
 * is, wants, does or goes through. A capital alone makes no name at the beginning of a sentence; the verb behind it does.
 */
const word = "\\p{Lu}[\\p{L}\\p{N}&.’'-]{0,29}";
const who = `(?:(?:the|The|our|Our|project|Project) )?(?<what>${word}(?: (?:(?:of|and|the|de|van|von) )?${word}){0,3})(?: (?:team|project|company|client|account))?(?:,? (?:from|at|over at) ${word}(?: ${word}){0,2},?)?`;
const lately =
  '(?: (?:now|also|really|just|recently|finally|already|always|usually|generally|mostly|still|officially|currently|strongly|typically|never|has|have|had|is|are)){0,3}';

/** Words that begin a sentence and name nobody, and programs that report on themselves. */
const nobody =
  /^(?:I|I'm|I've|I’m|We|You|He|She|It|They|This|That|These|Those|There|Here|What|Which|Who|Whoever|Where|When|Why|How|Everyone|Everybody|Everything|Someone|Somebody|Something|Anyone|Anybody|Anything|Nobody|Nothing|None|One|Each|Every|All|Both|Some|Many|Most|Few|People|Users?|Customers?|Please|Thanks|Thank|Today|Tomorrow|Yesterday|Now|Then|So|But|And|Or|Yes|No|Not|Maybe|Just|My|Your|His|Her|Its|Their|An?|The|If|Because|Since|While|After|Before|Also|Still|Only|Even|Another|Other|Such|Let|Looks?|Sounds?|Seems?|Hi|Hello|Hey|Ok|Okay|Great|Good|Nice|Wow|God|Nothing|Git|GitHub|Docker|Node|Npm|Eslint|ESLint|TypeScript|Jest|Vitest|Chrome|Firefox|Webpack|Vite|Python|Java|JavaScript|Rust|Go|Linux|Windows|Wikipedia|Google)(?:['’]\w+)?(?:\s|$)/;

/** Programs at work, and stories. */
const aside =
  '(?![^]*\\b(?:error|exception|crash(?:es|ed)?|bug|stack ?trace|timed? ?out|undefined|null|once upon|joke|lol|haha|game|movie|episode|novel|dream)\\b)';

const wants =
  'prefers?|likes?|loves?|hates?|dislikes?|wants?|needs?|avoids?|values?|favou?rs?|expects?|hopes?|plans?|intends?|insists? on|refuses?|cares? about|worries about';
const feels =
  "(?:is|are|was|were|isn't|isn’t|aren't) (?:(?:very|quite|a bit|really|also|still|not|more|most) ){0,2}(?:worried|concerned|excited|happy|unhappy|upset|frustrated|interested|skeptical|sceptical|nervous|keen|allergic|responsible|in charge|based|located|vegan|vegetarian|on (?:parental |maternity |sick )?leave|moving|leaving|joining|hiring|raising|expanding|retiring|open to|against|blocked|behind schedule|ahead of)";
const lives =
  'works?|worked|lives?|lived|moved|moves|relocated|joined|left|quit|retired|resigned|graduated|married|founded|co-?founded|started|leads?|led|runs|manages?|managed|owns?|heads?|handles?|maintains?|reports to|teaches|studies|studied|speaks|took over|stepped down';
const deals =
  'acquired|acquires|bought|sold|raised|raises|closed|signed|renewed|shipped|launched|released|announced|hired|fired|laid off|hit|reached|missed|grew|doubled|tripled|cut|cancelled|canceled|postponed|delayed|won|lost|merged|partnered|switched|migrated|chose|picked|decided|agreed|committed|promised|approved|rejected|declined|accepted|invested|pivoted|expanded|opened|shut down|turned down|passed on';
const says =
  '(?:said|told (?:me|us)|mentioned|reported|confirmed|explained|warned|thinks|thought|believes|suggested|asked for|insisted|promised|announced)';
const plansDay =
  'ships?|launch(?:es)?|starts?|ends?|begins?|arrives?|returns?|leaves?|opens?|closes|expires?|goes live|is due|is scheduled|is launching|is shipping|is visiting|is leaving|is moving|is coming|is getting married|will [a-z]+|shipped|launched|released|joined|left|signed|visited|arrived|closed|moved|resigned|retired|died|was born|got married|met|meets';

function rule(
  id: string,
  kind: 'entity' | 'event',
  predicate: string,
  more: Partial<Rule> = {},
  subject: string = `${aside}${who}${lately}`,
): Rule {
  return {
    id: `en.${id}`,
    signal: kind,
    kind,
    pattern: new RegExp(`^${subject} (?<about>${predicate})$`, 'du'),
    topic: '{what}',
    unless: nobody,
    says: '{clause}',
    keepsWeekday: true,
    ...more,
  };
}

const rest = '(?:[ ,]+[^?]{2,280})';

export const namedEnglish: readonly Rule[] = [
  rule('named-day', 'event', `(?:${plansDay})\\b${rest}`, { needsDate: true }),
  rule('named-wants', 'entity', `(?:${wants}|doesn['’]t (?:like|want|need|eat|drink|use|trust|work)) [^?]{2,280}`),
  rule('named-feels', 'entity', `${feels}\\b[^?]{0,280}`),
  rule('named-lives', 'entity', `(?:${lives})\\b${rest}`),
  rule('named-deals', 'entity', `(?:${deals})\\b${rest}`),
  // Whose words they are stays with them; what speaks to or of the user is no statement about the one who said it.
  rule(
    'named-says',
    'entity',
    `${says} (?![^?]*\\b(?:I|me|my|mine|you|your|should|must|hi|hello)\\b)[^?\u0001]{6,280}`,
    {
      reports: true,
    },
  ),
  rule('named-told', 'entity', `told (?:me|us) (?![^?]*\\b(?:I|my|mine|you|your|should|must)\\b)[^?\u0001]{6,280}`, {
    reports: true,
  }),
];

/** Frequent surnames; a name is one of them and one or two characters more. */
const surnames =
  '王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤';
const person = `(?:[小老阿]\\p{Script=Han}|[${surnames}]\\p{Script=Han}{1,2}?|[${surnames}](?:总|工|经理|老师|博士|教授|主任|医生))`;
const thing = '(?:[\\p{Script=Han}A-Za-z0-9]{1,8}(?:项目|公司|团队|集团|系统|平台|银行|大学|科技))';
const latin = '(?:\\p{Lu}[\\p{L}\\p{N}-]{1,29}(?: \\p{Lu}[\\p{L}\\p{N}-]{1,29}){0,2})';
const whoChinese = `(?<what>${latin}|${thing}|${person}) ?`;
const latelyChinese =
  '(?:现在|已经|最近|刚刚?|也|一直|今天|昨天|上周|上个月|去年|今年|正式|终于|总是|通常|都|很|比较|非常|特别|还|不太|不再){0,3}';
const doesChinese =
  '喜欢|更喜欢|偏好|偏爱|讨厌|不喜欢|不吃|不喝|担心|担忧|希望|想要|倾向于?|要求|负责|住在|住到|搬到了?|搬去了?|加入了?|离开了?|离职|入职了?|跳槽|辞职|退休|结婚|收购了?|融资|融了|发布了?|上线了?|签了|签下|签约|拿下了?|完成了?|达到了?|超过了?|突破了?|推迟了?|延期|取消了?|换成了?|改用了?|迁移到|决定|同意了?|答应了?|承诺了?|拒绝了?|选择了?|创办了?|创立了?|任职于|毕业于|管理|主管|擅长|对[^，,。]{1,12}(?:过敏|感兴趣|不满)|是[^，,。]{1,12}的(?:负责人|创始人|总监|经理|CEO|CTO|客户)|在[^，,。]{1,16}(?:工作|上班|任职|读书|上学)';
const plansChinese = `${doesChinese}|发布|上线|交付|开始|结束|到期|启动|开业|去|来|回|飞|搬|出差|休假|生日|开会|见`;
const nobodyChinese =
  /^(?:这个?|那个?|哪个?|我们?|你们?|他们?|她们?|它们?|大家|有人|别人|某个?|一个|本|该|任何|任务|方法|方便|方案|方向|马上|金额|高兴|白天|万一|石头|程序|向来|许多|何时|何必|任由|江湖|龙头|严格|史上|顾客|钱包|雷同|毛病|武器|小时|老是|老实|小心|ESLint|TypeScript|Docker|Python|Git|GitHub|Java|Node)/u;

function chinese(id: string, kind: 'entity' | 'event', predicate: string, more: Partial<Rule> = {}): Rule {
  return {
    id: `zh.${id}`,
    signal: kind,
    kind,
    pattern: new RegExp(
      `^(?!.*(?:报错|错误|崩溃|小说|电影|游戏|梦见|讲个?故事))${whoChinese}(?<about>${predicate})$`,
      'du',
    ),
    topic: '{what}',
    unless: nobodyChinese,
    says: '{clause}',
    keepsWeekday: true,
    ...more,
  };
}

export const namedChinese: readonly Rule[] = [
  chinese('named-day', 'event', `(?:[^？?，,]{0,14})(?:${plansChinese})[^？?]{0,160}`, { needsDate: true }),
  chinese('named-does', 'entity', `${latelyChinese}(?:${doesChinese})[^？?]{0,160}`),
  chinese(
    'named-says',
    'entity',
    '(?:说|表示|提到|告诉我们?|确认|认为|透露|反映)(?![^？?]*[我你])[^？?\u0001]{4,160}',
    {
      reports: true,
    },
  ),
];
