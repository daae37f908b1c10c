import { Gauge, type Registry } from 'prom-client'
import { failureOf, type Source } from '../features/identities/sources.ts'

/** A provider is asked at most this often, in milliseconds. */
const EVERY = 30_000

/**
 * Whether each OpenID provider and directory answered when it was last asked. A scrape does not wait for them: it has
 * what the one before began, and nothing of a provider that was never asked.
 */
export function offerProviders(registers: Registry[], sources: readonly Source[]): void {
  if (sources.length === 0) return
  const asked = new Map<Source, number>()
  const up = new Map<Source, boolean>()
  const ask = async (source: Source) => void up.set(source, (await failureOf(source)) === undefined)
  new Gauge({
    name: 'filigree_provider_up',
    help: 'Whether an OpenID provider or a directory answered when it was last asked.',
    labelNames: ['kind', 'slug'],
    registers,
    collect() {
      const now = performance.now()
      for (const source of sources) {
        const { kind, slug } = source
        const isUp = up.get(source)
        if (isUp !== undefined) this.set({ kind, slug }, Number(isUp))
        if ((asked.get(source) ?? Number.NEGATIVE_INFINITY) + EVERY > now) continue
        asked.set(source, now)
        void ask(source)
      }
    },
  })
}
