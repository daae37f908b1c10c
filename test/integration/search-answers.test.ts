import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'

const servers = {
  byDefault: await serve(),
  array: await serve({ args: ['--searchAnswers', 'array'] }),
  lines: await serve({ args: ['--search-answers=lines'] }),
  auto: await serve({ env: { FILIGREE_SEARCH_ANSWERS: 'auto' } }),
}
type Name = keyof typeof servers
const FILES = ['found 1.txt', 'sub/found 2.txt']

for (const { root } of Object.values(servers)) {
  await mkdir(join(root, 'sub'))
  for (const file of FILES) await writeFile(join(root, file), '')
}

interface Hit {
  path: string
  dir: boolean
}

/** The headers of the interface in a browser, with the token in the header and in a cookie. */
const asInterface = (token: string) => ({ 'X-Auth': token, Cookie: `auth=${token}` })
/** The headers of a script. */
const asScript = (token: string) => ({ 'X-Auth': token })

async function ask(name: Name, headersOf: (token: string) => Record<string, string>): Promise<Response> {
  const server = servers[name]
  const headers = { Accept: '*/*', ...headersOf(await signIn(server)) }
  return fetch(`${server.url}/api/search/?query=found`, { headers })
}

/** Reads results as interfaces before File Browser 2.53 do: the whole body is one array. */
const readArray = async (answer: Response): Promise<Hit[]> => (await answer.json()) as Hit[]

/** Reads results as the interface of File Browser 2.63 does: each line that is not blank is a hit with a path. */
async function readLines({ body }: Response): Promise<Hit[]> {
  const hits: Hit[] = []
  let rest = ''
  for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') hits.push(JSON.parse(line))
  }
  for (const { path } of hits) if (typeof path !== 'string') throw new Error('not a hit')
  return hits
}

const pathsOf = (hits: readonly Hit[]) => hits.map(({ path }) => path).sort()

describe('an interface of File Browser that names no type reads the results', () => {
  test.each(['byDefault', 'array'] as const)('as one array up to 2.52, with searchAnswers %s', async name => {
    expect(pathsOf(await readArray(await ask(name, asInterface)))).toEqual(FILES)
  })

  test.each(['lines', 'auto'] as const)('line by line from 2.53 on, with searchAnswers %s', async name => {
    expect(pathsOf(await readLines(await ask(name, asInterface)))).toEqual(FILES)
  })
})

test('a script that requests no type gets one array where the request decides', async () => {
  expect(pathsOf(await readArray(await ask('auto', asScript)))).toEqual(FILES)
})

test.each(Object.keys(servers) as Name[])('a requested type takes precedence, with searchAnswers %s', async name => {
  const named = (Accept: string) => ask(name, token => ({ ...asInterface(token), Accept }))
  expect(pathsOf(await readArray(await named('application/json')))).toEqual(FILES)
  expect(pathsOf(await readLines(await named('application/x-ndjson')))).toEqual(FILES)
})

test('another value is refused at the start', async () => {
  await expect(serve({ args: ['--searchAnswers', 'both'] })).rejects.toThrow('array, lines, auto')
})
