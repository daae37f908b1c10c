import type { Finding } from '../../../shared/api/diagnostics.ts'

/** Parts of the server that know whether they work. */
export interface Parts {
  history: Part
  providers: Part
  directories: Part
  secrets: Part
  webhooks: Part
  mails: Part
  /** `undefined` on a host without an office editor. */
  office: Part | undefined
  plainRefusals: Part
  /** `undefined` on a host without further roots. */
  roots: Part | undefined
  integrity: { open(): Promise<number> }
}

interface Part {
  findings(): Promise<Finding[]>
}

/** What the parts of the server say of themselves; needs no request. */
export async function notedFindings(parts: Parts): Promise<Finding[]> {
  const { history, providers, directories, secrets, webhooks, mails, office, plainRefusals, roots, integrity } = parts
  const open = await integrity.open()
  const all = [history, providers, directories, secrets, webhooks, mails, office, plainRefusals, roots]
  const noted = await Promise.all(all.map(async part => (await part?.findings()) ?? []))
  return [...(open === 0 ? [] : [{ code: 'sumsDiffer', amount: open } as const]), ...noted.flat()]
}
