/** What a page is about, as far as its front matter or its folder says. */
export type PageSort = 'person' | 'organisation' | 'meeting' | 'project' | 'place' | 'concept';

/** Words for the sorts, singular and plural, as people name folders, kinds and what they ask for. */
const wordsBySort: Readonly<Record<PageSort, string>> = {
  person:
    'person people human contact contacts colleague colleagues friend friends family team member members employee employees customer customers client clients 人 人物 人员 联系人 同事 朋友 成员 员工',
  organisation:
    'organisation organisations organization organizations org orgs company companies firm firms startup startups business businesses vendor vendors supplier suppliers agency agencies fund funds university universities school schools institution institutions 公司 企业 机构 组织 团体 基金 学校 大学',
  meeting:
    'meeting meetings event events call calls conference conferences workshop workshops session sessions standup standups interview interviews dinner dinners 会议 活动 会 峰会 访谈',
  project:
    'project projects product products service services system systems repo repos repository repositories tool tools library libraries app apps component components 项目 产品 服务 系统 工具 仓库 组件',
  place: 'place places location locations city cities office offices country countries 地点 城市 地方 办公室 国家',
  concept: 'concept concepts idea ideas topic topics theme themes 概念 想法 主题 话题',
};

const sortByWord: ReadonlyMap<string, PageSort> = new Map(
  (Object.keys(wordsBySort) as PageSort[]).flatMap((sort) => wordsBySort[sort].split(' ').map((word) => [word, sort])),
);

/** The sort that a word names (`companies`, `人物`), also as the question's noun. */
export function sortOfWord(word: string): PageSort | undefined {
  return sortByWord.get(word.toLowerCase());
}

/** By the nearest folder of a page's URI that names a sort: `…/companies/acme` is an organisation. */
export function sortOfUri(uri: string): PageSort | undefined {
  const folders = uri.split('/').slice(0, -1);
  for (const folder of folders.reverse()) {
    const sort = sortByWord.get(decodeFolder(folder).toLowerCase());
    if (sort) return sort;
  }
  return undefined;
}

/** Neither of them unknown and both different: the page cannot be meant. */
export function contradictsSort(sort: PageSort | undefined, allowed: readonly PageSort[]): boolean {
  return sort !== undefined && allowed.length > 0 && !allowed.includes(sort);
}

function decodeFolder(folder: string): string {
  try {
    return decodeURIComponent(folder);
  } catch {
    return folder;
  }
}
