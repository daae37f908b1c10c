import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { type Answer, call, json } from '../api/client.ts'
import type { OpenDocument } from '../office/editor.ts'
import { openOffice, PUBLIC } from '../office/office-place.ts'
import { account } from './dav-place.ts'

const place = await openOffice()
const { open, file } = place

/** The status of a response, with the lock that it names. */
const lockIn = ({ status, headers }: Answer) => [status, headers.get('x-wopi-lock')]
const ok = async (answer: Promise<Answer>) => expect((await answer).status).toBe(200)
const document = async (content?: string, name?: string) => open((await file(content, name)).path)

const LONG = 'x'.repeat(1024)
const OFFICE_LOCK = '{"S":"0136ad16-9725","E":2,"M":"DE997C5AC4E6","P":"6058AF1E-A36F"}'

/** The cases of Microsoft's validator of WOPI hosts, by group and name. */
const CASES: Record<string, Record<string, (one: OpenDocument) => Promise<void>>> = {
  CheckFileInfoSchema: {
    async FullCheckFileInfoSchema(one) {
      const info = json(await one.check())
      expect(info).toMatchObject({
        BaseFileName: 'a.odt',
        Size: 7,
        OwnerId: expect.stringMatching(/^[0-9a-f]{32}$/),
        UserId: expect.stringMatching(/^[0-9a-f]{32}$/),
        UserFriendlyName: expect.stringMatching(/^user/),
        Version: expect.any(String),
        LastModifiedTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/),
        UserCanWrite: true,
        UserCanNotWriteRelative: false,
        ReadOnly: false,
        SupportsLocks: true,
        SupportsGetLock: true,
        SupportsUpdate: true,
        SupportsExtendedLockLength: true,
        PostMessageOrigin: PUBLIC,
      })
    },
    async HostUrls(one) {
      const { CloseUrl, HostEditUrl } = json(await one.check())
      expect(CloseUrl).toMatch(/^http:\/\/files\.test\/files\/t/)
      expect(HostEditUrl).toMatch(/^http:\/\/files\.test\/files\/t.*\/a\.odt\?as=office$/)
    },
  },
  BaseWopiViewing: {
    async CheckFileInfoFieldsNotToBeSetByHosts(one) {
      const info = json(await one.check())
      for (const name of ['HostAuthenticationId', 'PresenceUserId', 'TenantId', 'UserPrincipalName', 'AADUserObjectId'])
        expect(info).not.toHaveProperty(name)
    },
    async ViewOnlySupport(one) {
      await ok(one.check())
      await ok(one.get())
    },
    async GetUnlockedFile(one) {
      const answer = await one.get({ headers: { Range: 'bytes=0-1', 'If-None-Match': '*' } })
      expect([answer.status, answer.text]).toEqual([200, 'content'])
      expect(answer.headers.get('x-wopi-itemversion')).toBe(json(await one.check()).Version)
    },
    async MaxExpectedSize(one) {
      expect((await one.get({ headers: { 'X-WOPI-MaxExpectedSize': '6' } })).status).toBe(412)
      await ok(one.get({ headers: { 'X-WOPI-MaxExpectedSize': '7' } }))
    },
  },
  EditFlows: {
    async BasicEdit(one) {
      await ok(one.lock('L'))
      await ok(one.get())
      await ok(one.put('new', 'L'))
      await ok(one.unlock('L'))
      expect((await one.get()).text).toBe('new')
    },
    async EditNoChange(one) {
      await ok(one.lock('L'))
      await ok(one.put('content', 'L'))
      await ok(one.unlock('L'))
      expect((await one.get()).text).toBe('content')
    },
    async PutUnlockedFile() {
      const one = await document('')
      await ok(one.put('new'))
      expect(lockIn(await one.put('again'))).toEqual([409, ''])
      expect((await one.get()).text).toBe('new')
    },
  },
  FileVersion: {
    async VersionChangesWithPutFile(one) {
      const before = json(await one.check()).Version
      await one.lock('L')
      const answer = await one.put('new', 'L')
      const after = json(await one.check())
      expect(after.Version).not.toBe(before)
      expect(answer.headers.get('x-wopi-itemversion')).toBe(after.Version)
      expect(json(answer).LastModifiedTime).toBe(after.LastModifiedTime)
    },
    async VersionStaysWithLocks(one) {
      const before = json(await one.check()).Version
      expect((await one.lock('L')).headers.get('x-wopi-itemversion')).toBe(before)
      expect((await one.unlock('L')).headers.get('x-wopi-itemversion')).toBe(before)
      expect(json(await one.check()).Version).toBe(before)
    },
  },
  Locks: {
    async LockLengthValidation(one) {
      await ok(one.lock('1'.repeat(256)))
      await ok(one.unlock('1'.repeat(256)))
    },
    async LockFormatValidation(one) {
      await ok(one.lock(OFFICE_LOCK))
      expect(lockIn(await one.post('GET_LOCK'))).toEqual([200, OFFICE_LOCK])
      await ok(one.unlock(OFFICE_LOCK))
    },
    async SuccessfulLockSequence(one) {
      await ok(one.lock('L'))
      await ok(one.refresh('L'))
      await ok(one.relock('L', 'N'))
      await ok(one.unlock('N'))
    },
    async LockMismatchAfterUnlockAndRelockRequest(one) {
      await ok(one.lock('L'))
      await ok(one.relock('L', 'N'))
      expect(lockIn(await one.unlock('L'))).toEqual([409, 'N'])
      await ok(one.unlock('N'))
    },
    async DoubleLockSequence(one) {
      await ok(one.lock('L'))
      await ok(one.lock('L'))
      await ok(one.unlock('L'))
    },
    async UnlockUnlockedFile(one) {
      expect(lockIn(await one.unlock('L'))).toEqual([409, ''])
    },
    async RefreshUnlockedFile(one) {
      expect(lockIn(await one.refresh('L'))).toEqual([409, ''])
    },
    async UnlockAndRelockUnlockedFile(one) {
      expect(lockIn(await one.relock('L', 'N'))).toEqual([409, ''])
    },
    async LockMismatchOnLockRequest(one) {
      await ok(one.lock('L'))
      expect(lockIn(await one.lock('other'))).toEqual([409, 'L'])
    },
    async LockMismatchOnUnlockRequest(one) {
      await ok(one.lock('L'))
      expect(lockIn(await one.unlock('other'))).toEqual([409, 'L'])
    },
    async LockMismatchOnRefreshLockRequest(one) {
      await ok(one.lock('L'))
      expect(lockIn(await one.refresh('other'))).toEqual([409, 'L'])
    },
    async LockMismatchOnUnlockAndRelockRequest(one) {
      await ok(one.lock('L'))
      expect(lockIn(await one.relock('other', 'N'))).toEqual([409, 'L'])
    },
    async LockMismatchOnPutFileRequest(one) {
      await ok(one.lock('L'))
      expect(lockIn(await one.put('new', 'other'))).toEqual([409, 'L'])
      expect((await one.get()).text).toBe('content')
    },
    async MissingLock(one) {
      for (const override of ['LOCK', 'UNLOCK', 'REFRESH_LOCK']) expect((await one.post(override)).status).toBe(400)
      expect((await one.lock(' ')).status).toBe(400)
    },
  },
  AccessTokens: {
    async CheckFileWithInvalidAccessToken(one) {
      expect((await one.check({ token: 'INVALID' })).status).toBe(401)
    },
    async GetPutFileWithInvalidAccessToken(one) {
      await ok(one.lock('L'))
      expect((await one.get({ token: 'INVALID' })).status).toBe(401)
      expect((await one.put('new', 'L', { token: 'INVALID' })).status).toBe(401)
      expect((await one.get()).text).toBe('content')
    },
    async LockFileWithInvalidAccessToken(one) {
      expect((await one.lock('L', { token: 'INVALID' })).status).toBe(401)
      await ok(one.lock('L'))
      expect((await one.unlock('L', { token: 'INVALID' })).status).toBe(401)
      await ok(one.unlock('L'))
    },
  },
  GetLock: {
    async 'files.GetLock'(one) {
      await ok(one.lock('L'))
      expect(lockIn(await one.post('GET_LOCK'))).toEqual([200, 'L'])
    },
    async 'files.GetLockAfterChange'(one) {
      await ok(one.lock('L'))
      await ok(one.relock('L', 'N'))
      expect(lockIn(await one.post('GET_LOCK'))).toEqual([200, 'N'])
    },
    async 'files.GetLockUnlocked'(one) {
      expect(lockIn(await one.post('GET_LOCK'))).toEqual([200, ''])
    },
  },
  ExtendedLockLength: {
    async ExtendedLockLength(one) {
      await ok(one.lock(LONG))
      await ok(one.put('new', LONG))
      expect(lockIn(await one.lock('L'))).toEqual([409, LONG])
      await ok(one.unlock(LONG))
    },
    async LockTooLong(one) {
      expect((await one.lock(`${LONG}x`)).status).toBe(400)
    },
  },
}

const suggest = (one: OpenDocument, name: string, body = 'copy') =>
  one.post('PUT_RELATIVE', { 'X-WOPI-SuggestedTarget': name }, { body })
const exactly = (one: OpenDocument, name: string, overwrite?: string) =>
  one.post(
    'PUT_RELATIVE',
    { 'X-WOPI-RelativeTarget': name, ...(overwrite && { 'X-WOPI-OverwriteRelativeTarget': overwrite }) },
    { body: 'copy' },
  )
const named = async (answer: Promise<Answer>) => {
  const done = await answer
  expect(done.status).toBe(200)
  return json(done).Name
}
/** The document that PUT_RELATIVE made. */
const madeBy = (one: OpenDocument, answer: Answer) => {
  const url = new URL(json(answer).Url)
  const source = { id: url.pathname.split('/').at(-1) ?? '', token: url.searchParams.get('access_token') ?? '' }
  return { check: () => one.check(source), get: () => one.get(source), lock: (lock: string) => one.lock(lock, source) }
}

CASES.PutRelativeFile = {
  async SuggestedExtension(one) {
    expect(await named(suggest(one, '.docx'))).toBe('a.docx')
  },
  async SuggestedName(one) {
    const answer = await suggest(one, 'new.odt')
    expect(json(answer)).toMatchObject({ Name: 'new.odt', HostEditUrl: expect.stringContaining('/new.odt') })
    expect((await madeBy(one, answer).get()).text).toBe('copy')
  },
  async SuggestedNameConflict(one) {
    expect(await named(suggest(one, 'a.odt'))).toBe('a(1).odt')
    expect((await one.get()).text).toBe('content')
  },
  async RelativeName(one) {
    expect(await named(exactly(one, 'new.odt'))).toBe('new.odt')
  },
  async RelativeNameOverwriteTrueNoEffect(one) {
    expect(await named(exactly(one, 'new.odt', 'true'))).toBe('new.odt')
  },
  async RelativeNameOverwriteFalseNoEffect(one) {
    expect(await named(exactly(one, 'new.odt', 'false'))).toBe('new.odt')
  },
  async RelativeNameConflictNoOverwrite(one) {
    const answer = await exactly(one, 'a.odt')
    expect([...lockIn(answer), answer.headers.get('x-wopi-validrelativetarget')]).toEqual([409, '', 'a(1).odt'])
  },
  async RelativeNameConflictOverwriteFalse(one) {
    expect((await exactly(one, 'a.odt', 'false')).status).toBe(409)
    expect((await one.get()).text).toBe('content')
  },
  async RelativeNameConflictOverwriteTrue(one) {
    await exactly(one, 'new.odt')
    const answer = await exactly(one, 'new.odt', 'true')
    expect(answer.status).toBe(200)
    await ok(madeBy(one, answer).check())
  },
  async ConflictingHeaders(one) {
    const both = { 'X-WOPI-SuggestedTarget': 'b.odt', 'X-WOPI-RelativeTarget': 'b.odt' }
    expect((await one.post('PUT_RELATIVE', both, { body: 'copy' })).status).toBe(400)
    expect((await one.post('PUT_RELATIVE', {}, { body: 'copy' })).status).toBe(400)
  },
  async RelativeNameConflictOverwriteTrueLocked(one) {
    await madeBy(one, await exactly(one, 'new.odt')).lock('L')
    expect(lockIn(await exactly(one, 'new.odt', 'true'))).toEqual([409, 'L'])
  },
  async FileNameReturnedIsCorrectlyEncoded(one) {
    expect(await named(exactly(one, 'n+AOQ-me+-_+2D3cSQ-.odt'))).toBe('näme+_\u{1f449}.odt')
  },
  async FileNameLongerThan512Chars(one) {
    expect((await exactly(one, `${'x'.repeat(512)}.odt`)).status).toBe(400)
    expect(await named(suggest(one, `${'x'.repeat(512)}.odt`))).toMatch(/^x{200,}\.odt$/)
  },
  async IncludeHostUrls(one) {
    expect(json(await suggest(one, 'new.odt'))).toMatchObject({
      HostEditUrl: expect.any(String),
      HostViewUrl: expect.any(String),
    })
  },
}

for (const [group, cases] of Object.entries(CASES))
  describe(group, () => {
    test.each(Object.keys(cases))('%s', async name => cases[name]?.(await document()))
  })

describe('PutRelativeFileUnsupported', () => {
  test.each([
    ['SuggestedExtension', { 'X-WOPI-SuggestedTarget': '.foox' }],
    ['SuggestedName', { 'X-WOPI-SuggestedTarget': 'new.odt' }],
    ['RelativeName', { 'X-WOPI-RelativeTarget': 'new.odt' }],
    ['RelativeNameOverwrite', { 'X-WOPI-RelativeTarget': 'new.odt', 'X-WOPI-OverwriteRelativeTarget': 'true' }],
    ['ConflictingHeaders', { 'X-WOPI-SuggestedTarget': 'new.odt', 'X-WOPI-RelativeTarget': 'new.odt' }],
  ])('%s is 501 for users who may create nothing', async (_name, headers) => {
    const { session } = await account(place, { perm: { modify: true, download: true } })
    const one = await open((await file()).path, { token: session })
    expect(json(await one.check()).UserCanNotWriteRelative).toBe(true)
    expect((await one.post('PUT_RELATIVE', headers, { body: 'copy' })).status).toBe(501)
  })

  test.each(['RENAME_FILE', 'DELETE', 'PUT_USER_INFO', 'READ_SECURE_STORE', ''])('%s is 501', async override => {
    const one = await document()
    expect((await one.post(override)).status).toBe(501)
  })
})

describe('saving', () => {
  test('writes the file on the disk, with a row in the audit log and a former content', async () => {
    const { path, disk } = await file()
    const one = await open(path)
    await one.lock('L')
    await ok(one.put('from the editor', 'L'))
    expect(await readFile(disk, 'utf8')).toBe('from the editor')
    const { rows } = json(await call(place.server, '/api/audit', { token: place.admin.token }))
    const own = rows.filter((row: { path: string }) => row.path === path)
    expect(own.map(({ action }: { action: string }) => action)).toEqual(['save', 'lock', 'office.open'])
  })

  test('after another program has changed the file is 409 with the code that the editor knows', async () => {
    const { path } = await file()
    const one = await open(path)
    await one.lock('L')
    const { LastModifiedTime } = json(await one.check())
    const late = await one.put('new', 'L', { headers: { 'X-COOL-WOPI-Timestamp': '2020-01-01T00:00:00.0000000Z' } })
    expect([late.status, json(late).COOLStatusCode]).toEqual([409, 1010])
    await ok(one.put('new', 'L', { headers: { 'X-COOL-WOPI-Timestamp': LastModifiedTime } }))
  })

  test('two users edit one document with one lock', async () => {
    const { path } = await file()
    const { session } = await account(place)
    const [ann, bob] = [await open(path), await open(path, { token: session })]
    expect(bob.id).toBe(ann.id)
    expect(bob.token).not.toBe(ann.token)
    await ok(ann.lock('L'))
    await ok(bob.lock('L'))
    await ok(bob.put('by the other', 'L'))
    await ok(ann.put('and by the first', 'L'))
    await ok(bob.unlock('L'))
    expect(lockIn(await ann.unlock('L'))).toEqual([409, ''])
  })
})
