import { type FilePath, ROOT, segmentsOf, trustedChild } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'

/**
 * The path that a program means. Those of macOS decompose letters with marks, and compare names in no certain form:
 * where no item has the name, the one is meant that has it composed or decomposed, if there is only one. A new name of the
 * Finder is composed, as those of all other programs are.
 */
export async function spelledPath(own: Files, path: FilePath, agent = ''): Promise<FilePath> {
  if (hasOneForm(path) || (await stands(own, path))) return path
  let found: FilePath = ROOT
  for (const name of segmentsOf(path)) {
    const exact = trustedChild(found, name)
    if (hasOneForm(name) || (await stands(own, exact))) found = exact
    else found = (await twinOf(own, found, name)) ?? trustedChild(found, isFinder(agent) ? name.normalize('NFC') : name)
  }
  return found
}

async function twinOf(own: Files, folder: FilePath, name: string): Promise<FilePath | undefined> {
  const forms = ['NFC', 'NFD'].map(form => name.normalize(form))
  const twins = forms.filter(form => form !== name && Buffer.byteLength(form) <= LONGEST)
  const standing: FilePath[] = []
  for (const twin of twins.map(form => trustedChild(folder, form))) if (await stands(own, twin)) standing.push(twin)
  return standing.length === 1 ? standing[0] : undefined
}

/** Bytes of a name; a decomposed one may be longer. */
const LONGEST = 255

const hasOneForm = (text: string) => text === text.normalize('NFC') && text === text.normalize('NFD')
const isFinder = (agent: string) => /^WebDAV(?:FS|Lib)\//.test(agent)

/** What is refused counts as standing, so that its name leads to no other. */
async function stands(own: Files, path: FilePath): Promise<boolean> {
  try {
    await own.info(path)
    return true
  } catch (thrown) {
    return !(thrown instanceof AppError && (thrown.code === 'not_found' || thrown.code === 'not_a_folder'))
  }
}
