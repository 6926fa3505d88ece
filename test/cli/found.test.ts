import { expect, it } from 'vitest';
import { found } from '../../src/cli/found.ts';

const file = 'f';

it('takes a policy that is a document before what a run was told', () => {
  const about = found();
  about.row({ system_prompt: 'You are one run.' });
  about.finding({ kind: 'policy', text: '# Policy', file });
  expect(about.end().systemPrompt).toBe('# Policy');
});

it('takes the first system prompt of a run where there is no document, and each tool once', () => {
  const about = found();
  about.row({ messages: [{ role: 'system', content: 'Be kind.' }], tools: [{ name: 'find' }] });
  about.finding({ kind: 'tool', tool: { name: 'find', description: 'again' }, file });
  expect(about.end()).toMatchObject({ tools: [{ name: 'find' }], systemPrompt: 'Be kind.' });
});

it('knows what all rows say, and how many different things they say', () => {
  const two = found();
  two.row({ system_prompt: 'A', tools: [{ name: 'a' }] } as never);
  expect(two.end()).toMatchObject({ sharedPrompt: 'A', hasSharedTools: true });
  two.row({ system_prompt: 'B', tools: [{ name: 'b' }] } as never);
  two.row({} as never);
  expect(two.end()).toMatchObject({
    ...{ sharedPrompt: undefined, hasSharedTools: false },
    prompts: { n: 2, without: 1, isOne: false },
    lists: { n: 2, without: 1, isOne: false },
  });
});
