import type { SourceTurn } from '../summariser.ts';

type Said = readonly [role: SourceTurn['role'], text: string, tool?: string];

function turns(said: readonly Said[]): readonly SourceTurn[] {
  return said.map(([role, text, tool], index) => ({ sequence: index + 1, role, text, tool }));
}

/** What a tool read: long, and nothing exact in it. */
const listing = ['pool', 'socket', 'query', 'timer', 'backup', 'session']
  .flatMap((thing) => [
    `the ${thing} is opened when the daemon starts and closed when it stops`,
    `a ${thing} that fails is tried again after a short pause`,
    `nobody waits for a ${thing} longer than the deadline allows`,
    `each ${thing} is counted and shown in the overview`,
  ])
  .join('\n');

/** A piece of work with a decision, a rule, finished, withdrawn and open requests, and identifiers. */
export const englishTalk = turns([
  ['user', 'The daemon loses its connection to the database every night. Please find out why.'],
  ['assistant', 'read {"path":"src/store/open-store.ts"}', 'read'],
  ['tool', `export function openStore() { return connect("db.internal:5432"); }\n${listing}`, 'read'],
  [
    'assistant',
    'I found the cause and fixed it: openStore() in src/store/open-store.ts:42 kept an idle socket to db.internal:5432. The log said "connection reset by peer".',
  ],
  ['user', 'Great. We decided to keep PostgreSQL 16.2.1 for the archive, since backups already work with it.'],
  ['assistant', 'Understood, the archive stays on PostgreSQL.'],
  ['user', 'Never deploy on a Friday. Also use the model openai/gpt-5.2-mini for nightly summaries.'],
  ['assistant', 'I will not deploy on Fridays.'],
  ['user', 'Paint the status page green.'],
  ['assistant', 'I am going to change the colours of the status page.'],
  ['user', 'Never mind the colours. Rename the table user_sessions to sessions in commit 9fceb02d0ae598e9.'],
  [
    'assistant',
    'The migration failed with "permission denied for schema public", so the table is not renamed yet. Next step: ask for the grant.',
  ],
  ['user', 'Write a load test for the endpoint https://api.example.com/v1/turns?limit=50 too.'],
]);

export const chineseTalk = turns([
  ['user', '守护进程每天晚上都会断开数据库连接，请帮我查一下原因。'],
  ['assistant', 'read {"path":"src/store/open-store.ts"}', 'read'],
  ['tool', `export function openStore() { return connect("db.internal:5432"); }\n${listing}`, 'read'],
  [
    'assistant',
    '原因找到了，已经修好：src/store/open-store.ts:42 里的 openStore() 一直占着空闲连接，地址是 db.internal:5432。',
  ],
  ['user', '很好。我们决定归档继续使用关系数据库，因为备份已经可以用了。'],
  ['assistant', '明白，归档数据库保持不变。'],
  ['user', '以后都不要在星期五部署服务。'],
  ['assistant', '好的，星期五不会部署任何服务。'],
  ['user', '把会话表改名，提交号是 9fceb02d0ae598e9。'],
  ['assistant', '迁移失败了，没有权限，所以表还没有改名。接下来需要申请授权。'],
  ['user', '请给接口 https://api.example.com/v1/turns?limit=50 写一个压力测试。'],
]);
