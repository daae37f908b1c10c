import { expect, test } from 'vitest'
import { claimsSecondFactor } from './factor-proof.ts'

test.each([
  ['an authentication with several factors', { amr: ['pwd', 'mfa'] }],
  ['a code', { amr: ['pwd', 'otp'] }],
  ['a key of hardware', { amr: ['hwk'] }],
  ['a key of software', { amr: ['swk'] }],
  ['a fingerprint', { amr: ['fpt'] }],
  ['a face', { amr: ['face'] }],
  ['a PIN for something', { amr: ['pin', 'sc'] }],
  ['a context that resists phishing', { acr: 'phr' }],
  ['a context of two factors', { acr: 'https://refeds.org/profile/mfa' }],
])('a provider that says %s checked a second factor', (_what, claims) => {
  expect(claimsSecondFactor(claims)).toBe(true)
})

test.each([
  ['nothing', {}],
  ['a password', { amr: ['pwd'] }],
  ['a PIN alone', { amr: ['pin', 'pin'] }],
  ['other letters', { amr: ['OTP', 'MFA'] }],
  ['a text in place of a list', { amr: 'mfa' }],
  ['lists in the list', { amr: [['mfa'], { mfa: true }, null] }],
  ['an object', { amr: { 0: 'mfa', length: 1 } }],
  ['a context of its own', { acr: 'gold' }],
  ['a list of contexts', { acr: ['phr'] }],
])('a provider that says %s checked none', (_what, claims) => {
  expect(claimsSecondFactor(claims)).toBe(false)
})
