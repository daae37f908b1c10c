import { expect, test } from 'vitest'
import { person } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { EVERYTHING, PASSWORD, populate } from './people.ts'

const RULES = [{ allow: false, regex: true, regexp: { raw: '(' } }]

test('RULE-06 a stored rule that cannot be parsed denies everything', async () => {
  const server = await serve({
    prepare: ({ database }) => populate(database, { people: [{ name: 'bob', may: EVERYTHING, rules: RULES }] }),
  })
  const bob = await person(server, 'bob', PASSWORD)
  for (const path of ['/', '/a.txt', '/docs']) expect((await bob.get(path)).status).toBe(403)
})
