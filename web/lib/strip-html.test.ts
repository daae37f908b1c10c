import { expect, test } from 'vitest'
import { stripHtml } from './strip-html.ts'

const clean = (html: string) => stripHtml(html, new Set(['b', 'img', 'a', 'p']), new Set(['src', 'href', 'align']))

test.each([
  ['<b>x</b> <p align=center>y</p>', '<b>x</b> <p align="center">y</p>'],
  ['<b onclick="ran = 1" style=color:red>x</b>', '<b>x</b>'],
  ['<script>ran = 1</script>y', 'y'],
  ['<scr<script></script>ipt>x', 'x'],
  ['<img src=x onerror=ran=1>', '<img src="x">'],
  ['<a href=\'x" onclick="y\'>z</a>', '<a href="x&quot; onclick=&quot;y">z</a>'],
  ['<a href="a>b">c</a>', '<a href="a>b">c</a>'],
  ['<!-- <b> --><b', '&lt;b'],
  ['<svg><script>x</script></svg>', ''],
  ['1 < 2', '1 &lt; 2'],
])('%j becomes %j', (html, kept) => {
  expect(clean(html)).toBe(kept)
})
