/**
 * Whether a message can be a question to memory. Greetings, thanks, assents and what hosts say by themselves find
 * nothing but noise, and cost a search and tokens (spec §5.4).
 */
export function isWorthAsking(text: string): boolean {
  const said = text.trim();
  if (said === '' || hostSays.some((start) => said.startsWith(start)) || isCommand(said)) return false;
  if (said.length > longestSmallTalk) return true;
  const words = said
    .toLowerCase()
    .replace(/[^\p{L}\p{N}']+/gu, ' ')
    .trim();
  if (words === '') return false;
  const hasHan = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(words);
  if (words.replaceAll(' ', '').length < (hasHan ? 2 : 3)) return false;
  return hasHan
    ? !isChineseSmallTalk(words.replaceAll(' ', ''))
    : !words.split(' ').every((word) => smallTalk.has(word));
}

/** Longer messages say something, whatever they begin with (characters). */
const longestSmallTalk = 60;

/** OpenClaw's own prompts (contract §1.6). */
const hostSays = ['[OpenClaw heartbeat poll]', 'Continue the current task from the existing transcript'];

/** `/compact`, `/new`: the host's business. A path is none. */
function isCommand(text: string): boolean {
  return /^\/[a-z][a-z_-]{0,40}(?:\s|$)/i.test(text) && !/^\/[^\s/]*\//.test(text);
}

const smallTalk: ReadonlySet<string> = new Set(
  (
    'hi hello hey heya yo hiya howdy good morning afternoon evening night day there everyone again ' +
    'thanks thank you thx ty cheers much so very a lot many appreciated please ' +
    'ok okay k kk sure fine great nice cool perfect awesome excellent wonderful alright right got it understood ' +
    "yes yeah yep yup no nope nah not really maybe indeed exactly true correct that's thats good enough " +
    'go on ahead continue proceed next more carry do it then and now just ' +
    "bye goodbye see later cu how are how's it going what's up sup welcome you're youre done well hm hmm uh um oh ah lol haha"
  ).split(' '),
);

/** Longest first, so that each takes as much as it can. */
const chineseSmallTalk = (
  '你好 您好 大家好 嗨 哈喽 早上好 早安 上午好 中午好 下午好 晚上好 晚安 早 在吗 在么 在不在 ' +
  '谢谢 谢谢你 谢谢您 多谢 非常感谢 感谢 辛苦了 麻烦你了 太好了 太棒了 很好 不错 真棒 厉害 ' +
  '好的 好 好吧 好呀 好啊 行 行吧 可以 可以的 没问题 没事 嗯 嗯嗯 哦 噢 啊 呀 吧 了 的 是 是的 对 对的 不是 不 不用 不用了 不要 没有 ' +
  '明白 明白了 知道了 了解 懂了 收到 继续 请继续 继续吧 接着 接着说 然后呢 下一步 再来 再见 拜拜 回头见 哈哈 哈哈哈 呵呵 请'
)
  .split(' ')
  .sort((a, b) => b.length - a.length);

function isChineseSmallTalk(text: string): boolean {
  let rest = text;
  while (rest !== '') {
    const phrase = chineseSmallTalk.find((candidate) => rest.startsWith(candidate));
    if (phrase === undefined) return false;
    rest = rest.slice(phrase.length);
  }
  return true;
}
