import { createHash } from 'node:crypto'
import type { ChangeDetails, ChangePage } from '../../shared/api/changes.ts'
import type { TrashPage } from '../../shared/api/trash.ts'
import type { VersionsPage } from '../../shared/api/versions.ts'
import { call, encode, json, type Person } from './client.ts'
import type { Instance } from './harness.ts'

export const digest = (content: string): string => createHash('sha256').update(content).digest('hex')

/** The digests of everything in the tree, in the trash, and in versions. */
export async function reachable(wire: Instance, who: Pick<Person, 'token'>): Promise<Set<string>> {
  const found = new Set<string>()
  const take = async (route: string) => {
    const { status, text } = await call(wire, route, { token: who.token })
    if (status !== 200 && status !== 404) throw new Error(`${route}: ${status} ${text}`)
    if (status === 200) found.add(digest(text))
  }
  const takeVersions = async (path: string) => {
    for (let before = ''; ; ) {
      const route = `/api/versions${encode(path)}${before && `?before=${before}`}`
      const { items, more }: VersionsPage = json(await call(wire, route, { token: who.token }))
      for (const { id } of items) await take(`/api/kept/raw/${id}`)
      before = items.at(-1)?.id ?? ''
      if (!more) return
    }
  }
  const walk = async (folder: string) => {
    const answer = await call(wire, `/api/resources${encode(folder)}/`, { token: who.token })
    for (const { path, isDir } of json(answer).items ?? []) {
      if (isDir) await walk(path)
      else await Promise.all([take(`/api/raw${encode(path)}`), takeVersions(path)])
    }
  }
  const walkKept = async (id: string, inner: string) => {
    const answer = json(await call(wire, `/api/trash/items/${id}${encode(inner)}`, { token: who.token }))
    for (const { name, isDir } of answer.items ?? []) {
      if (isDir) await walkKept(id, `${inner}/${name}`)
      else await take(`/api/trash/raw/${id}${encode(`${inner}/${name}`)}`)
    }
  }
  const trashOf = async () => {
    const items: TrashPage['items'] = []
    for (let before = ''; ; before = items.at(-1)?.id ?? '') {
      const answer = await call(wire, `/api/trash${before && `?before=${before}`}`, { token: who.token })
      const page: TrashPage = json(answer)
      items.push(...page.items)
      if (!page.more) return items
    }
  }
  const takeReplaced = async (change: string) => {
    for (let from = 0; ; ) {
      const page: ChangeDetails = json(await call(wire, `/api/changes/${change}?steps=${from}`, { token: who.token }))
      for (const { kind, kept } of page.steps) if (kind === 'replace' && kept) await take(`/api/kept/raw/${kept}`)
      if (!page.moreSteps) return
      from = (page.steps.at(-1)?.position ?? 0) + 1
    }
  }
  await walk('')
  for (const { id, isDir } of await trashOf()) await (isDir ? walkKept(id, '') : take(`/api/trash/raw/${id}`))
  // The history leads to versions of files that are in the trash now.
  for (let before = ''; ; ) {
    const { items, more }: ChangePage = json(
      await call(wire, `/api/changes${before && `?before=${before}`}`, { token: who.token }),
    )
    for (const { id } of items) await takeReplaced(id)
    before = items.at(-1)?.id ?? ''
    if (!more) return found
  }
}
