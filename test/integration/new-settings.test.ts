import { expect, test } from 'vitest'
import { manager } from '../api/accounts.ts'
import { json } from '../api/client.ts'
import { serve } from '../api/instance.ts'

test('the settings of a new installation have the specified defaults', async () => {
  const settings = json(await (await manager(await serve())).settings())
  expect(settings).toMatchObject({
    signup: false,
    createUserDir: false,
    minimumPasswordLength: 12,
    userHomeBasePath: '/users',
    authMethod: 'json',
    rules: [],
    shell: [],
    tus: { chunkSize: 10_485_760, retryCount: 5 },
  })
  expect(settings.defaults).toMatchObject({ scope: '.', locale: 'en', viewMode: 'mosaic', commands: [] })
  expect(settings.defaults.perm).toMatchObject({ admin: false, create: true, download: true })
  expect(settings.defaults.sorting).toEqual({ by: 'name', asc: false })
  expect(Object.values(settings.commands)).toEqual(Array.from({ length: 10 }, () => []))
})
