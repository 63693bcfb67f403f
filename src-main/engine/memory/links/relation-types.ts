import type { PageSort } from './page-sort.ts';

/**
 * One type of relation between a subject and an object, in words. Adding a relation is adding an entry; adding a way to say
 * it is adding a phrase.
 *
 * A phrase is words in order; `a|b` are words of which one stands there, `*` is up to four words of any kind. English words
 * match whole words in any case; Chinese phrases match characters.
 */
export interface RelationType {
  readonly type: string;
  /** What the two may be; a page that is known to be something else is not taken. Empty: anything. */
  readonly subject: readonly PageSort[];
  readonly object: readonly PageSort[];
  /** The subject stands before the phrase, the object after it: `Ann` founded `Acme`. */
  readonly forward: readonly string[];
  /** The object stands before it: `Acme` was founded by `Ann`. */
  readonly backward: readonly string[];
  /** Verbs whose object may stand anywhere, so that only questions are read with them: which firm did Ann `found`. */
  readonly asking: readonly string[];
  /** Nouns for the subject: Acme's `founders`, `founders` of Acme. */
  readonly subjectNouns: readonly string[];
  /** Nouns for the object, seen from the subject: Ann's `employer`. */
  readonly objectNouns: readonly string[];
  /** Relations that mostly hold along with it, seen from the same side: who founded a firm works there. */
  readonly impliedBy?: readonly string[];
  /** Front matter whose values are objects of the page, and whose values are subjects. */
  readonly fields: { readonly object: readonly string[]; readonly subject: readonly string[] };
}

export const relationTypes: readonly RelationType[] = [
  {
    type: 'founded',
    subject: ['person', 'organisation'],
    object: ['organisation', 'project'],
    forward: [
      'founded|co-founded|cofounded|founding',
      'started|launched|established|created|incorporated',
      'set up',
      '创立了|创办了|创建了|成立了|创立|创办|创建|联合创立|共同创立',
    ],
    backward: [
      'founded|co-founded|cofounded|started|launched|established|created|incorporated * by',
      '创立于|的创始人是|创始人为|创始人：',
    ],
    asking: ['found|co-found|cofound|start|launch|establish', '创立|创办|创建|成立'],
    subjectNouns: ['founder|founders|co-founder|co-founders|cofounder|cofounders', '联合创始人|创始人|创办人|创办者'],
    objectNouns: [],
    fields: { object: ['founded', 'founder_of', '创立'], subject: ['founders', 'founder', 'founded_by', '创始人'] },
  },
  {
    type: 'invested_in',
    subject: ['person', 'organisation'],
    object: ['organisation', 'project'],
    forward: [
      'invested|invests|investing|invest * in|into',
      'backed|backs|backing|funded|funds|financed',
      'led|leads|co-led|joined|participated * seed|series|round|financing * in|of|for',
      'wrote|cut|writes * check|checks|cheque|cheques * into|for|to',
      'investments|investment|stake|stakes|position in',
      'portfolio * includes|including|include|contains',
      '投资了|投资于|入股了|入股|领投了|领投|参投了|跟投了|投资',
    ],
    backward: [
      'backed|funded|financed * by',
      'raised|raising|raise * from',
      'investment|funding|money|capital|cheque|check|checks|backing|seed|round * from',
      'round|financing|seed * led by',
      '获得了|获得|的投资方包括|的投资人包括|投资方包括|投资人包括|投资方是',
    ],
    asking: ['invest|fund|back|finance', '投资|入股|投'],
    subjectNouns: [
      'investor|investors|backer|backers|funder|funders|shareholder|shareholders',
      '投资方|投资人|投资者|股东|投资机构',
    ],
    objectNouns: ['portfolio|investments|investees', '投资组合|被投公司'],
    fields: {
      object: ['invested_in', 'investments', 'portfolio', '投资'],
      subject: ['investors', 'investor', 'backers', 'invested_by', '投资方', '投资人'],
    },
  },
  {
    type: 'advises',
    subject: ['person', 'organisation'],
    object: ['organisation', 'project', 'person'],
    forward: [
      'advises|advised|advising|advise|counsels|counselled|mentors|mentored|mentoring|coaches|coached',
      'consults|consulted|consulting|advisory|advising * with|for|to|at',
      'advisory|advisor|adviser * board|role|engagement|relationship * of|at|with|for|to',
      '指导了|指导',
    ],
    backward: ['advised|mentored|coached|counselled * by'],
    asking: ['advise|mentor|consult', '指导|顾问'],
    subjectNouns: ['advisor|advisors|adviser|advisers|mentor|mentors|consultant|consultants', '顾问|导师'],
    objectNouns: ['advisees|mentees'],
    fields: { object: ['advises', 'advisor_to', '顾问于'], subject: ['advisors', 'advisers', 'advised_by', '顾问'] },
  },
  {
    type: 'works_at',
    impliedBy: ['founded', 'led'],
    subject: ['person'],
    object: ['organisation', 'project'],
    forward: [
      'works|worked|working|work * at|for',
      'joined|joins|joining',
      'employed|hired|recruited by|at',
      'runs|leads|heads|manages|ran|headed',
      'ceo|cto|coo|cfo|vp|president|chief|head|director|manager|lead|partner|principal|engineer|engineers|developer|designer|scientist|researcher|analyst|architect|employee|recruiter|associate|intern|staff * at|of|for|with',
      'role|job|position|tenure|career|time|stint|years|team * at|with',
      'serves|serving|served * at|of|for',
      '就职于|任职于|供职于|入职了|入职|加入了|加入|就职|任职|工作于',
    ],
    backward: ['hired|recruited|employs|employed|appointed|hires', '聘请了|雇用了|聘用了|聘请|雇佣'],
    asking: ['work|works|working|employed', '工作|上班|任职|就职|供职'],
    subjectNouns: [
      'employee|employees|staff|engineer|engineers|ceo|cto|coo|cfo|president|team|people|teammates',
      '员工|雇员|成员|工程师',
    ],
    objectNouns: ['employer|employers|company|workplace', '雇主|公司|东家|单位'],
    fields: {
      object: ['company', 'companies', 'employer', 'works_at', 'organization', 'organisation', '公司', '单位'],
      subject: ['employees', 'key_people', 'team', 'staff', 'people', '员工', '成员'],
    },
  },
  {
    type: 'attended',
    impliedBy: ['led'],
    subject: ['person', 'organisation'],
    object: ['meeting'],
    forward: [
      'attended|attends|attending|joined|joins',
      'participated|participates|spoke|speaking|presented|presenting|took part in|at',
      '参加了|出席了|参与了|参加|出席|参与',
    ],
    backward: [
      'attended|joined by',
      'participants|attendees|attendance * included|include|includes|including|were|was',
      '参会人员包括|与会者包括|参会人：|与会：',
    ],
    asking: ['attend|join|participate|come|present|there', '参加|出席|参与'],
    subjectNouns: [
      'attendee|attendees|participant|participants|speaker|speakers',
      '参会者|与会者|参会人|参会人员|出席者',
    ],
    objectNouns: ['meetings', '会议'],
    fields: {
      object: ['attended', 'meetings'],
      subject: ['attendees', 'participants', 'attended_by', '参会人', '与会者', '出席'],
    },
  },
  {
    type: 'reports_to',
    subject: ['person'],
    object: ['person'],
    forward: ['reports|reported|reporting|report * to', 'managed|supervised by', '汇报给'],
    backward: ['manages|managed|supervises|supervised'],
    asking: ['report|reports', '汇报'],
    subjectNouns: ['report|reports|subordinate|subordinates', '下属'],
    objectNouns: ['manager|boss|supervisor|superior', '上级|上司|经理|领导'],
    fields: { object: ['reports_to', 'manager', 'boss', '上级'], subject: ['reports', 'direct_reports', '下属'] },
  },
  {
    type: 'led',
    subject: ['person', 'organisation'],
    object: ['project', 'meeting'],
    forward: [
      'led|leads|leading|lead|chaired|chairs|chairing|hosted|hosts|facilitated|runs|ran|heads|headed|owns|maintains|maintained',
      '负责|领导|主持了|主持|牵头|主导',
    ],
    backward: ['led|chaired|hosted|run|owned|maintained|headed by'],
    asking: ['lead|leads|run|runs|own|owns|maintain|maintains|host|chair', '负责|主持|牵头'],
    subjectNouns: [
      'lead|leader|leaders|owner|owners|maintainer|maintainers|host|chair|organiser|organizer',
      '负责人|主持人|维护者',
    ],
    objectNouns: [],
    fields: {
      object: ['leads', 'owns', 'maintains', '负责'],
      subject: ['lead', 'leads_by', 'owner', 'owners', 'led_by', 'maintainers', 'maintainer', '负责人'],
    },
  },
  {
    type: 'part_of',
    subject: [],
    object: [],
    forward: [
      'part|subsidiary|division|member|branch|component|module|subset|unit of',
      'belongs|belonged|belonging to',
      'acquired|owned|bought by',
      '隶属于|属于|隶属|是旗下',
    ],
    backward: [
      'consists|composed|made of|from',
      'contains|comprises|includes',
      'acquired|acquires|bought|owns',
      '包含了|包含|包括|收购了|收购',
    ],
    asking: ['belong|acquire|contain|include', '属于|收购|包含'],
    subjectNouns: [
      'subsidiary|subsidiaries|division|divisions|part|parts|component|components|member|members',
      '子公司|部门|部分',
    ],
    objectNouns: ['parent|owner', '母公司'],
    fields: {
      object: ['part_of', 'parent', 'belongs_to', '属于'],
      subject: ['parts', 'components', 'subsidiaries', 'members', 'contains'],
    },
  },
  {
    type: 'uses',
    subject: [],
    object: [],
    forward: [
      'uses|used|using|use|adopted|adopts|runs on',
      'uses|used|using|use|adopted|adopts|deployed|deploys',
      'built|based|runs|running on|with|upon',
      'switched|migrated|moved * to',
      '使用了|使用|采用了|采用|基于|迁移到',
    ],
    backward: ['used|adopted|deployed by'],
    asking: ['use|uses|adopt|run', '使用|采用|用'],
    subjectNouns: ['user|users|adopter|adopters', '用户|使用者'],
    objectNouns: ['stack|tools', '技术栈|工具'],
    fields: { object: ['uses', 'stack', 'tools', '使用'], subject: ['used_by', 'users'] },
  },
  {
    type: 'depends_on',
    subject: [],
    object: [],
    forward: [
      'depends|depended|depending|depend|relies|relied|relying|rely|builds * on|upon',
      'requires|needs',
      'blocked by',
      '依赖于|依赖|取决于|需要',
    ],
    backward: ['required|needed by', 'blocks'],
    asking: ['depend|rely|require|need', '依赖|需要'],
    subjectNouns: ['dependent|dependents|consumer|consumers'],
    objectNouns: ['dependency|dependencies|requirement|requirements', '依赖|依赖项'],
    fields: {
      object: ['depends_on', 'dependencies', 'requires', 'blocked_by', '依赖'],
      subject: ['required_by', 'blocks'],
    },
  },
  {
    type: 'knows',
    subject: ['person'],
    object: ['person'],
    forward: [
      'knows|knew|met|befriended|introduced|married|dated|recommended',
      'friend|friends|colleague|colleagues|classmate|classmates|spouse|wife|husband|partner|sibling|brother|sister * of|with',
      '认识|结识了|结识|介绍了',
    ],
    backward: ['introduced|recommended by'],
    asking: ['know|knows|meet|introduce', '认识|介绍'],
    subjectNouns: ['friend|friends|colleague|colleagues|acquaintance|acquaintances', '朋友|同事|熟人'],
    objectNouns: [],
    fields: {
      object: ['knows', 'friends', 'colleagues', 'spouse', 'introduced', '朋友'],
      subject: ['introduced_by', 'known_by'],
    },
  },
  {
    type: 'located_in',
    subject: [],
    object: ['place'],
    forward: ['based|located|headquartered|lives|lived|living|offices|office in|at', '位于|坐落于|住在|总部在'],
    backward: ['home to'],
    asking: ['based|located|live|lives', '位于|住在'],
    subjectNouns: [],
    objectNouns: ['headquarters|location|home|city', '总部|地址|所在地'],
    fields: { object: ['location', 'city', 'based_in', 'headquarters', '地点'], subject: [] },
  },
  {
    type: 'related_to',
    subject: [],
    object: [],
    forward: [],
    backward: [],
    asking: [],
    subjectNouns: [],
    objectNouns: [],
    fields: { object: ['related', 'related_to', 'see_also', 'links', 'link', '相关'], subject: [] },
  },
  {
    type: 'source',
    subject: [],
    object: [],
    forward: ['引用了|引用'],
    backward: [],
    asking: [],
    subjectNouns: [],
    objectNouns: [],
    fields: { object: ['source', 'sources', 'discussed_in', '来源'], subject: [] },
  },
];
