import { expect, test } from 'vitest'
import { contentDisposition } from './disposition.ts'

test.each([
  ['a.txt', "attachment; filename*=utf-8''a.txt"],
  ['a b.txt', "attachment; filename*=utf-8''a%20b.txt"],
  ['$&+:=@-._~', "attachment; filename*=utf-8''$&+:=@-._~"],
  ["!'()*", "attachment; filename*=utf-8''%21%27%28%29%2A"],
  ['naïve – 界.pdf', "attachment; filename*=utf-8''na%C3%AFve%20%E2%80%93%20%E7%95%8C.pdf"],
  ['caf\udce9 "é".txt', `attachment; filename="caf_ ___.txt"; filename*=utf-8''caf%E9%20%22%C3%A9%22.txt`],
  ['x"\r\nSet-Cookie: a=b', "attachment; filename*=utf-8''x%22%0D%0ASet-Cookie:%20a=b"],
])('the name %j survives in a header for every client', (name, header) => {
  expect(contentDisposition('attachment', name)).toBe(header)
})
