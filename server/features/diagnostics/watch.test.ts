import { expect, test, vi } from 'vitest'
import type { Finding } from '../../../shared/api/diagnostics.ts'
import { HealthWatch } from './watch.ts'

/** A watch over a part with the findings of each look. */
function watch(...looks: Finding[][]) {
  const quiet = { findings: async () => [] }
  let at = 0
  const telling = { findings: async () => looks[at++] ?? [] }
  const parts = {
    history: quiet,
    providers: telling,
    directories: quiet,
    secrets: quiet,
    webhooks: quiet,
    mails: quiet,
    plainRefusals: quiet,
    roots: undefined,
  }
  const onErrors = vi.fn(async () => {})
  const log = { error: vi.fn() }
  const integrity = { open: async () => 0 }
  return {
    onErrors,
    log,
    health: new HealthWatch({ parts: { ...parts, office: undefined, integrity }, folders: [], onErrors, log }),
  }
}

const away: Finding = { code: 'providerAway', what: 'Keycloak' }

test('an error is reported when it is new, and again after a look without it', async () => {
  const { health, onErrors } = watch([{ code: 'providerUp', what: 'Keycloak' }], [away], [away], [], [away])
  const counts: number[] = []
  for (let look = 0; look < 5; look += 1) {
    await health.look()
    counts.push(onErrors.mock.calls.length)
  }
  expect(counts).toEqual([0, 1, 1, 1, 2])
  expect(onErrors).toHaveBeenLastCalledWith([away])
})

test('a warning is not reported', async () => {
  const { health, onErrors } = watch([{ code: 'webhookFailing', what: 'x' }])
  await health.look()
  expect(onErrors).not.toHaveBeenCalled()
})

test('a look that fails is logged and ends nothing', async () => {
  const { log, onErrors } = watch([])
  const broken = { findings: () => Promise.reject(new Error('no database')) }
  const integrity = { open: async () => 0 }
  const parts = {
    history: broken,
    providers: broken,
    directories: broken,
    secrets: broken,
    webhooks: broken,
    mails: broken,
    plainRefusals: broken,
    roots: undefined,
  }
  const health = new HealthWatch({ parts: { ...parts, office: undefined, integrity }, folders: [], onErrors, log })
  await health.look()
  expect(log.error).toHaveBeenCalledOnce()
})
