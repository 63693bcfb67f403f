/** Words that say nothing of what is asked for. Folded as `segmentWords` folds; the parts of "don't" are two words. */
export const stopWords: ReadonlySet<string> = new Set(
  `a about after again all also am an and any are aren as at be because been before being between both but by can cannot
could couldn d did didn do does doesn doing don done down during each else ever few for from further get gets give go got had hadn
has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself just ll m ma
many may me might mine more most much must mustn my myself no nor not of off ok okay on once only or other our ours ourselves out over
own please re s same shall she should shouldn so some such t tell than that the their theirs them themselves then there
these they this those through to too under until up us ve very was wasn we were weren what whats when where which while who whom
whose why will with won would wouldn you your yours yourself yourselves
的 了 吗 呢 吧 啊 呀 嘛 么 是 在 和 与 或 把 被 让 就 都 也 还 又 很 我 你 他 她 它 们 我们 你们 他们 她们 它们 这 那 哪 哪个 哪些 这个 那个
这些 那些 个 之 其 及 什么 怎么 怎样 如何 为什么 多少 谁 几 有 没有 不 没 会 能 可以 要 说 对 到 从 给 请 请问 一个 一下 时候 因为 所以 但是 如果
の は が を に へ と も で や か ね よ です ます した する これ それ あれ この その あの`.split(/\s+/),
);
