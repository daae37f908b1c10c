import type { ChangeDetails, ChangePage, UndoAnswer } from '../../shared/api/changes.ts'
import { type Answer, call, encode, json, type Person } from './client.ts'
import type { Instance } from './harness.ts'

/** The change that an answer names. */
export function changeOf(answer: Answer): string {
  const id = answer.headers.get('X-Change')
  if (answer.status >= 400 || !id) throw new Error(`no change was named: ${answer.status} ${answer.text}`)
  return id
}

/** The calls about recorded changes. */
export function changesOf(wire: Pick<Instance, 'url'>) {
  const list = async (who: Person, query = ''): Promise<ChangePage> =>
    json(await call(wire, `/api/changes${query}`, { token: who.token }))
  const details = async (who: Person, id: string): Promise<ChangeDetails> =>
    json(await call(wire, `/api/changes/${id}`, { token: who.token }))
  const post = (who: Person, path: string, body: unknown): Promise<Answer> =>
    call(wire, path, {
      method: 'POST',
      token: who.token,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  const undo = async (who: Person, id: string, body: object = {}): Promise<UndoAnswer> => {
    const answer = await post(who, `/api/changes/${id}/undo`, body)
    if (answer.status !== 200) throw new Error(`the undo was answered ${answer.status} ${answer.text}`)
    return json(answer)
  }
  /** Copies or moves an item. */
  const patch = (who: Person, path: string, query: Record<string, string>): Promise<Answer> =>
    call(wire, `/api/resources${encode(path)}?${new URLSearchParams(query)}`, { method: 'PATCH', token: who.token })
  return { list, details, post, undo, patch }
}
