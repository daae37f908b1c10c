import { expect, test } from 'vitest'
import { openDb } from '../../server/db/open.ts'
import { AuthSettings } from '../../server/features/settings/auth-settings.ts'
import { writeAuthSettings } from '../../server/features/settings/settings.store.ts'
import { call } from '../api/client.ts'
import { serve } from '../api/instance.ts'

const server = await serve()

/** The policy of the page once the host has set a captcha. */
async function policyWith(recaptcha: { host?: string; key: string; secret: string }): Promise<string[]> {
  const { db } = await openDb(server.database)
  await writeAuthSettings(db, AuthSettings.parse({ recaptcha }))
  await db.destroy()
  return ((await call(server, '/login')).headers.get('content-security-policy') ?? '').split('; ')
}

test('without a captcha the policy allows no other origin', async () => {
  for (const recaptcha of [
    { key: '', secret: '' },
    { key: 'k', secret: '' },
  ]) {
    const policy = await policyWith(recaptcha)
    expect(policy).toContain("script-src 'self'")
    expect(policy.join()).not.toMatch(/frame-src|https?:/)
  }
})

test('with a captcha its provider may load a script and a frame, and no other origin', async () => {
  const policy = await policyWith({ key: 'k', secret: 's' })
  const sources = 'https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/'
  expect(policy).toContain(`script-src 'self' ${sources}`)
  expect(policy).toContain(`frame-src ${sources}`)
  expect(policy).toContain("default-src 'self'")
})

test('a provider of the host’s own is allowed by its URL, which cannot add to the policy', async () => {
  const own = await policyWith({ host: 'https://captcha.example/a/', key: 'k', secret: 's' })
  expect(own).toContain("script-src 'self' https://captcha.example/a/recaptcha/")
  const hostile = await policyWith({
    host: "https://captcha.example/; script-src 'unsafe-inline",
    key: 'k',
    secret: 's',
  })
  expect(hostile.filter(part => part.startsWith('script-src'))).toHaveLength(1)
  expect(hostile.join()).not.toMatch(/script-src[^;]* 'unsafe-inline/)
  expect(await policyWith({ host: 'javascript:alert(1)//', key: 'k', secret: 's' })).toContain("script-src 'self'")
})

test('the API keeps its own policy', async () => {
  await policyWith({ key: 'k', secret: 's' })
  expect((await call(server, '/api/health')).headers.get('content-security-policy')).not.toContain('google')
})
