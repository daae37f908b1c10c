import { expect, test } from 'vitest'
import { parsePath, ROOT } from '../../../shared/path.ts'
import { HOSTILE_NAMES } from '../conformance/place.ts'
import { parseS3Address } from './address.ts'
import { fileKey, nameIn, pathsIn } from './keys.ts'
import { partSize } from './multipart-writer.ts'
import { folderFacts, newMeta } from './object-metadata.ts'
import { presignedQuery, signedHeaders } from './sign.ts'
import { elementsOf, fitsXml, textIn, xmlText } from './xml.ts'

/** Credentials, requests and signatures of Amazon's examples for Signature Version 4. */
const SIGNER = {
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: '',
  region: 'us-east-1',
}
const THEN = new Date(Date.UTC(2013, 4, 24))
const GET = { method: 'GET', path: '/test.txt', query: {}, headers: { host: 'examplebucket.s3.amazonaws.com' } }

test('requests and URLs are signed as the store expects', () => {
  const ranged = { ...GET, headers: { ...GET.headers, range: 'bytes=0-9' } }
  const { authorization } = signedHeaders(SIGNER, ranged, Buffer.alloc(0), THEN)
  expect(authorization).toContain('Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41')
  expect(presignedQuery(SIGNER, GET, 86_400, THEN)).toContain(
    'X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  )
})

test('NAME-09 every name has a distinct key that decodes to the name, and none is an internal one', () => {
  const names = [...HOSTILE_NAMES, '.~f', '.~fg', '.~fb-', '.~fb-YQ']
  const keys = names.map(name => fileKey('base/', parsePath(`/${name}`)).slice('base/'.length))
  expect(keys.map(nameIn)).toEqual(names)
  expect(keys.filter(key => key.startsWith('.~fg'))).toEqual([])
  expect(new Set(keys).size).toBe(names.length)
})

test('keys that no path can name are ignored', () => {
  for (const part of ['', '.', '..', '.~fg', '.~fb-YQ', '.~fb-!', 'n'.repeat(256)]) expect(nameIn(part)).toBeUndefined()
  expect(pathsIn(ROOT, 'a/b/')).toEqual(['/a', '/a/b'])
  expect(pathsIn(ROOT, 'a//b')).toBeUndefined()
})

test('a key has at most 1024 bytes', () => {
  expect(() => fileKey('', parsePath(`/${'の/'.repeat(300)}`))).toThrow('name_too_long')
})

test('an address is parsed, or refused with a message', () => {
  expect(parseS3Address('s3://files/a/b%20c/?endpoint=http://127.0.0.1:9000/&region=eu-1')).toEqual({
    bucket: 'files',
    prefix: 'a/b c/',
    endpoint: 'http://127.0.0.1:9000',
    region: 'eu-1',
    inPath: true,
  })
  expect(parseS3Address('s3://files')).toMatchObject({
    endpoint: 'https://files.s3.us-east-1.amazonaws.com',
    prefix: '',
  })
  for (const wrong of ['s3://', 's3://-', 's3://files?endpoint=here', 's3://files?regoin=eu-1']) {
    expect(() => parseS3Address(wrong), wrong).toThrow(/makes no sense/)
  }
})

test('parts grow, so that ten thousand of them are more than an object may have', () => {
  const sizes = Array.from({ length: 10_000 }, (_, index) => partSize(index + 1))
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(5 * 1024 ** 2)
  expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(5 * 1024 ** 4)
})

test('entities in elements are decoded, and text survives a round trip', () => {
  const text = 'a<b>&"\r\n\t😀'
  expect(textIn(`<Key>${xmlText(text)}</Key>`, 'Key')).toBe(text)
  expect(elementsOf('<A><Key>1</Key></A><A><Key>2</Key></A>', 'A').map(inside => textIn(inside, 'Key'))).toEqual([
    '1',
    '2',
  ])
  expect([fitsXml('a\tb😀'), fitsXml('a\u0001'), fitsXml('\ufffe')]).toEqual([true, false, false])
})

test('a folder without an object of its own has the identity of its name, and says so', () => {
  const marker = { etag: 'e', size: 0, changed: 1, headers: newMeta(0, 'abc') }
  expect(folderFacts('in/', marker)).toMatchObject({ identity: 'abc' })
  expect(folderFacts('in/', marker).isNameOnly).toBeUndefined()
  const [one, same, other] = ['in/', 'in/', 'on/'].map(key => folderFacts(key, undefined))
  expect([one?.isNameOnly, one?.identity === same?.identity, one?.identity === other?.identity]).toEqual([
    ...[true, true, false],
  ])
})
