import { describe, expect, it } from 'vitest'
import { ApiError } from './api.ts'
import { refusalOf } from './refusal.ts'

const refused = (cause: string, status = 400) => refusalOf(new ApiError(status, `${status} Bad Request (${cause})`))

describe("the server's validation errors of a form", () => {
  it.each([
    ['password is too short, minimum length is 12', 'password'],
    ['password is too easy', 'password'],
    ['username is empty', 'username'],
    ['username cannot be used', 'username'],
    ['the current password is incorrect', 'current_password'],
    ['permission to share requires permission to download', 'perm'],
    ['data.scope: is not a folder of this server', 'scope'],
    ['rules[3].regexp.raw: is not a valid expression', 'rules[3].regexp.raw'],
    ['branding.name: must not be longer (than this)', 'branding.name'],
  ])('%s', (cause, field) => {
    expect(refused(cause)?.field).toBe(field)
  })

  it('are undefined when no field is named, or for other errors', () => {
    expect(refused('malformed request')).toBeUndefined()
    expect(refused('username is empty', 500)).toBeUndefined()
    expect(refusalOf(new Error('(username is empty)'))).toBeUndefined()
  })
})
