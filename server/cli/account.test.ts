import { userInfo } from 'node:os'
import { expect, test } from 'vitest'
import { accountName } from './account.ts'

test('a command is noted with the name of its account, or the number of one without a name', () => {
  expect(accountName()).toBe(userInfo().username)
  const nameless = () => {
    throw new Error('uv_os_get_passwd returned ENOENT')
  }
  expect(accountName(nameless)).toBe(String(process.getuid?.()))
})
