/** The words of the engine that are shown without a sentence around them. */
export const termMeanings = {
  turn: 'One stored message: of the person, the model or a tool, word for word',
  call: 'One context that was built for the model, because the host asked for it before it asked the model',
  epoch: 'A stretch of a session between two resets, counted from 0; turns of earlier epochs are kept but not sent',
  advancement: 'One step of the host that brought new turns; its key makes sure that nothing is stored twice',
  checkpoint: 'One compaction: the turns that a summary stands for from then on. The turns themselves are kept',
  job: 'One piece of work in the background, such as a compaction; it survives a restart and is tried again when it fails',
  page: 'One Markdown file of the workspace that memory is made of; every version of it is kept',
  operation: 'One judgement about something that could be remembered: added, updated, retired, not needed or refused',
  recall: 'One search of memory for the model, or here by a person, with everything that was decided about it',
  left: 'Tokens that were still to give out, counted by our tokenizer. The budget is the provider’s; it is divided by the ratio between the two counts first',
  budget:
    'How many tokens a call may take. The host names it with the call, else that of the last call holds, else the default of config.yaml',
} as const;
