import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { OfficeDocument, OfficeMode } from '../../shared/api/office.ts'
import { type Answer, call, encode, json } from '../api/client.ts'
import { uniqueName } from '../api/harness.ts'
import { account, type DavPlace, openDav } from '../integration/dav-place.ts'
import { documentOf, type Editor, type OpenDocument, startEditor } from './editor.ts'

/** How the editor reaches the server, as the configuration says it: no request of the tests does. */
export const PUBLIC = 'http://files.test'

export interface OfficePlace extends DavPlace {
  editor: Editor
  /** A session of a user with all rights on files. */
  session: string
  /** Asks for a document with a session; that of the user unless another is given. */
  ask(path: string, more?: { mode?: OfficeMode; token?: string }): Promise<Answer>
  /** A document that the editor has open. */
  open(path: string, more?: { mode?: OfficeMode; token?: string }): Promise<OpenDocument>
  /** A new file in a folder of its own. @returns its path on the wire and on the disk */
  file(content?: string, name?: string): Promise<{ path: string; disk: string; folder: string }>
}

/** A server in this process with an office editor, for one file of tests. */
export async function openOffice({
  editor,
  flags = [],
}: {
  editor?: Editor
  flags?: string[]
} = {}): Promise<OfficePlace> {
  const own = editor ?? (await startEditor())
  afterAll(() => own.close())
  const given = ['--office', own.url, '--publicURL', PUBLIC, '--officeNetworks', '127.0.0.1']
  const place = await openDav(...given, ...flags)
  const { session } = await account(place)
  const { server, root } = place
  const ask: OfficePlace['ask'] = (path, { mode, token = session } = {}) =>
    call(server, '/api/office/open', { method: 'POST', token, body: JSON.stringify({ path, mode }) })
  return {
    ...place,
    editor: own,
    session,
    ask,
    async open(path, more) {
      const answer = await ask(path, more)
      if (answer.status !== 200) throw new Error(`${path} does not open: ${answer.status} ${answer.text}`)
      return documentOf(own, { server, origin: PUBLIC }, sourceIn(json(answer)))
    },
    async file(content = 'content', name = 'a.odt') {
      const folder = `/${uniqueName('t')}`
      const disk = join(root, folder, name)
      await mkdir(join(root, folder))
      await writeFile(disk, content)
      return { path: `${folder}/${name}`, disk, folder }
    },
  }
}

/** The file id and the token with which the editor opens a document. */
export function sourceIn({ action, token }: OfficeDocument): { id: string; token: string } {
  const source = new URL(action).searchParams.get('WOPISrc') ?? ''
  return { id: source.split('/').at(-1) ?? '', token }
}

/** Changes a file as a user of the interface. */
export const save = (place: OfficePlace, path: string, body: string): Promise<Answer> =>
  call(place.server, `/api/resources${encode(path)}`, { method: 'PUT', token: place.session, body })
