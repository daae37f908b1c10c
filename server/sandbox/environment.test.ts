import { expect, test } from 'vitest'
import { bareEnvironment, expandVariables, hostEnvironment } from './environment.ts'

const HOST = {
  PATH: '/usr/bin:/bin',
  LANG: 'C',
  LC_ALL: 'C.UTF-8',
  FILIGREE_ADMIN_PASSWORD: 'secret',
  FB_PASSWORD: 'secret',
  AWS_SECRET_ACCESS_KEY: 'secret',
}

test('a user’s command gets a short list of variables and no secret', () => {
  expect(bareEnvironment(HOST)).toEqual({ PATH: '/usr/bin:/bin', LANG: 'C', LC_ALL: 'C.UTF-8' })
})

test('a program of the host gets the host’s variables, without the server’s settings', () => {
  expect(Object.keys(hostEnvironment(HOST)).sort()).toEqual(['AWS_SECRET_ACCESS_KEY', 'LANG', 'LC_ALL', 'PATH'])
})

test.each([
  [':/bin', '/bin'],
  ['.:/bin:tools', '/bin'],
  ['', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
])('a search path of %j does not include the working folder', (PATH, searched) => {
  expect(hostEnvironment({ PATH }).PATH).toBe(searched)
})

test.each([
  ['$FILE', '/a b'],
  [`\${FILE}.bak`, '/a b.bak'],
  ['-f=$FILE:$USERNAME', '-f=/a b:$FILE'],
  ['$FILES$NOTHING', ''],
  ['${FILE', '${FILE'],
  [`5$ $$ $1 \${} \${1}`, `5$ $$ $1 \${} \${1}`],
])('%j becomes %j', (argument, expanded) => {
  expect(expandVariables(argument, { FILE: '/a b', USERNAME: '$FILE' })).toBe(expanded)
})
