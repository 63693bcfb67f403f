import { describe, expect, it } from 'vitest';
import { ClientError } from '../client/client-error.ts';
import { samplePage } from '../model/testing/memory-samples.ts';
import { createDraftStore } from './create-draft-store.ts';

/** A file on a disk with compare-and-swap, as the engine has it. */
function disk(content = 'one\n') {
  let page = samplePage({ content, version: 1, content_hash: 'hash 1' });
  const write = (text: string) => {
    const version = page.version + 1;
    page = samplePage({ content: text, version, content_hash: `hash ${version}` });
    return page;
  };
  const draft = createDraftStore({
    read: () => Promise.resolve(page),
    save: (text, base) =>
      base.hash === page.content_hash
        ? Promise.resolve(write(text))
        : Promise.reject(new ClientError('page_conflict', 'Somebody else wrote.')),
  });
  draft.take(page);
  return { draft, write, content: () => page.content };
}

describe('a page that is edited by hand', () => {
  it('is written over the version that it is based on, and goes on from there', async () => {
    const { draft, content } = disk();
    draft.edit('two\n');
    expect(draft.getState().dirty).toBe(true);
    await draft.save();
    expect(content()).toBe('two\n');
    expect(draft.getState()).toMatchObject({ dirty: false, status: 'saved', base: { version: 2 } });
  });

  it('keeps both texts when somebody else wrote meanwhile, and writes neither', async () => {
    const { draft, write, content } = disk();
    draft.edit('mine\n');
    write('theirs\n');
    await draft.save();
    expect(draft.getState()).toMatchObject({ text: 'mine\n', dirty: true, theirs: { text: 'theirs\n', version: 2 } });
    expect(draft.getState().error).toBeUndefined();
    expect(content()).toBe('theirs\n');
  });

  it('saves the merged text over theirs once they were seen', async () => {
    const { draft, write, content } = disk();
    draft.edit('mine\n');
    write('theirs\n');
    await draft.save();
    draft.edit('mine\ntheirs\n');
    await draft.save();
    expect(content()).toBe('mine\ntheirs\n');
    expect(draft.getState()).toMatchObject({ dirty: false, theirs: undefined });
  });

  it('goes on with theirs when its own text is given up', async () => {
    const { draft, write } = disk();
    draft.edit('mine\n');
    write('theirs\n');
    await draft.save();
    draft.discard();
    expect(draft.getState()).toMatchObject({ text: 'theirs\n', dirty: false, theirs: undefined, base: { version: 2 } });
  });

  it('learns of another version before it is saved, and follows one while nothing is edited', () => {
    const { draft, write } = disk();
    draft.take(write('second\n'));
    expect(draft.getState()).toMatchObject({ text: 'second\n', theirs: undefined });
    draft.edit('mine\n');
    draft.take(write('third\n'));
    expect(draft.getState()).toMatchObject({ text: 'mine\n', theirs: { text: 'third\n' } });
  });

  it('has no quarrel with somebody who wrote the same', () => {
    const { draft, write } = disk();
    draft.edit('same\n');
    draft.take(write('same\n'));
    expect(draft.getState()).toMatchObject({ dirty: false, theirs: undefined });
  });

  it('is not set back by an older reading that comes late', async () => {
    const { draft } = disk();
    draft.edit('two\n');
    await draft.save();
    draft.take(samplePage({ content: 'one\n', version: 1, content_hash: 'hash 1' }));
    expect(draft.getState().text).toBe('two\n');
  });

  it('keeps what is typed while it is saved', async () => {
    const { draft, content } = disk();
    draft.edit('two\n');
    const saving = draft.save();
    draft.edit('two and more\n');
    await saving;
    expect(content()).toBe('two\n');
    expect(draft.getState()).toMatchObject({ text: 'two and more\n', dirty: true, base: { version: 2 } });
  });

  it('keeps the text and the reason when it could not be written', async () => {
    const draft = createDraftStore({
      read: () => Promise.reject(new Error('gone')),
      save: () => Promise.reject(new ClientError('disk_full', 'The disk is full.')),
    });
    draft.take(samplePage());
    draft.edit('mine\n');
    await draft.save();
    expect(draft.getState()).toMatchObject({
      status: 'failed',
      text: 'mine\n',
      dirty: true,
      error: { code: 'disk_full' },
    });
  });

  it('writes lines with the ends that the file had', async () => {
    const { draft, content } = disk('one\r\ntwo\r\n');
    draft.edit('one\nthree\n');
    await draft.save();
    expect(content()).toBe('one\r\nthree\r\n');
  });
});
