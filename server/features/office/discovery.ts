import type { OfficeMode } from '../../../shared/api/office.ts'
import { AppError } from '../../errors.ts'
import { parseXml, type XmlElement } from '../../lib/xml-reader.ts'
import { LIMITS } from '../../limits.ts'
import { Outbound, OutboundError, type OutboundFault } from '../../outbound/outbound.ts'
import { type ProofKeys, proofKey } from './proof.ts'

/** What an editor says of itself. */
export interface Discovered {
  /** Its addresses for documents, by extension in lower case and by mode, with placeholders. */
  actions: ReadonlyMap<string, Partial<Record<OfficeMode, string>>>
  /** Missing for an editor that signs nothing. */
  keys?: ProofKeys
  /** Whether it names addresses of another origin, which are left out. */
  leadsElsewhere: boolean
}

/** Why there is no discovery. */
export type DiscoveryFault = OutboundFault | 'status' | 'content'

export class DiscoveryError extends Error {
  readonly fault: DiscoveryFault

  constructor(fault: DiscoveryFault, message: string) {
    super(message)
    this.name = 'DiscoveryError'
    this.fault = fault
  }
}

export interface DiscoveryOptions {
  /** Address of the editor, without a trailing slash. */
  office: string
  /** Private networks in which it may be. */
  networks: readonly string[]
  userAgent: string
}

/** What the office editor of the host offers: read from it when it is needed, and remembered for hours. */
export class Discovery {
  readonly #options: DiscoveryOptions
  readonly #outbound: Outbound
  #reading: Promise<Discovered> | undefined
  #readAt = 0

  constructor(options: DiscoveryOptions) {
    this.#options = options
    this.#outbound = new Outbound(options)
  }

  /** @throws AppError `provider_unavailable` */
  async current(): Promise<Discovered> {
    if (!this.#reading || Date.now() - this.#readAt > LIMITS.officeDiscoveryAge) void this.#read()
    return this.#result()
  }

  /** What the editor says now, for a proof that does not fit; not read more often than once a minute. @throws as `current` */
  async fresh(): Promise<Discovered> {
    if (Date.now() - this.#readAt > LIMITS.officeDiscoveryRetry) void this.#read()
    return this.#result()
  }

  /** Reads it, whatever is remembered. @throws DiscoveryError */
  check(): Promise<Discovered> {
    return this.#read()
  }

  #read(): Promise<Discovered> {
    const reading = this.#ask()
    this.#reading = reading
    this.#readAt = Date.now()
    // A failure is not remembered.
    reading.catch(() => {
      if (this.#reading === reading) this.#reading = undefined
    })
    return reading
  }

  async #result(): Promise<Discovered> {
    try {
      return await (this.#reading ?? this.#read())
    } catch (cause) {
      throw new AppError('provider_unavailable', 'the office editor cannot be reached', { cause })
    }
  }

  async #ask(): Promise<Discovered> {
    const { office, userAgent } = this.#options
    const url = `${office}/hosting/discovery`
    const most = LIMITS.officeDiscovery + 1
    const request = { url, method: 'GET', headers: { 'User-Agent': userAgent }, most } as const
    const { status, text } = await this.#outbound.call(request).catch((thrown: unknown) => {
      throw thrown instanceof OutboundError ? new DiscoveryError(thrown.fault, thrown.message) : thrown
    })
    if (status !== 200) throw new DiscoveryError('status', `The status is ${status}.`)
    if (Buffer.byteLength(text) >= most) throw new DiscoveryError('content', 'The answer is too long.')
    try {
      return discoveredIn(parseXml(Buffer.from(text)), new URL(office).origin)
    } catch (thrown) {
      const why = thrown instanceof AppError ? thrown.message : 'It cannot be read.'
      throw new DiscoveryError('content', why)
    }
  }
}

const MODES: Readonly<Record<string, OfficeMode>> = { edit: 'edit', view: 'view', view_comment: 'view' }

/** @throws AppError `bad_request` for another document */
function discoveredIn(root: XmlElement, origin: string): Discovered {
  if (root.local !== 'wopi-discovery') throw new AppError('bad_request', 'It is no discovery of WOPI.')
  const actions = new Map<string, Partial<Record<OfficeMode, string>>>()
  let leadsElsewhere = false
  const zones = childrenOf(root, 'net-zone')
  for (const action of zones.flatMap(zone => childrenOf(zone, 'app')).flatMap(app => childrenOf(app, 'action'))) {
    const mode = MODES[attribute(action, 'name')]
    const extension = attribute(action, 'ext').toLowerCase()
    const address = attribute(action, 'urlsrc')
    if (mode === undefined || extension === '' || address === '') continue
    if (URL.parse(filled(address, ''))?.origin !== origin) leadsElsewhere = true
    else actions.set(extension, { [mode]: address, ...actions.get(extension) })
  }
  const [proof] = childrenOf(root, 'proof-key')
  const keys = proof && keysOf(proof)
  return { actions, leadsElsewhere, ...(keys && { keys }) }
}

function keysOf(proof: XmlElement): ProofKeys | undefined {
  const current = proofKey(attribute(proof, 'modulus'), attribute(proof, 'exponent'))
  const old = proofKey(attribute(proof, 'oldmodulus'), attribute(proof, 'oldexponent'))
  return current && { current, ...(old && { old }) }
}

const childrenOf = ({ children }: XmlElement, name: string): XmlElement[] =>
  children.filter(child => typeof child !== 'string' && child.local === name) as XmlElement[]

const attribute = ({ attributes }: XmlElement, name: string): string =>
  attributes.find(({ local, namespace }) => local === name && namespace === '')?.value ?? ''

/** Values of placeholders that we know. */
const LANGUAGES: ReadonlySet<string> = new Set(['UI_LLCC', 'DC_LLCC'])

/** An address with its placeholders `<name=VALUE&>` filled or cut. @param language a BCP 47 tag */
function filled(address: string, language: string): string {
  return address.replace(/<([^<>=]*)=([^<>&]*)&?>/g, (_whole, name: string, value: string) =>
    LANGUAGES.has(value) && language !== '' ? `${name}=${encodeURIComponent(language)}&` : '',
  )
}

/** The address of an editor for one file. @param source the address of the file for the editor */
export function actionAddress(address: string, source: string, language: string): string {
  const url = new URL(filled(address, language))
  url.searchParams.set('WOPISrc', source)
  if (!url.searchParams.has('lang')) url.searchParams.set('lang', language)
  return url.href
}
