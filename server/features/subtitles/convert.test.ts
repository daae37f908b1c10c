import { describe, expect, test } from 'vitest'
import { toVtt } from './convert.ts'

const vtt = (name: string, content: string | Buffer) => toVtt(name, Buffer.from(content)).toString()

describe('SubRip', () => {
  test('becomes WebVTT with the same times and lines', () => {
    const srt =
      '1\r\n00:00:01,500 --> 00:00:03,040\r\nHello,\r\nworld\r\n\r\n2\r\n01:02:03,4 --> 01:02:04,005\r\nBye\r\n'
    expect(vtt('a.srt', srt)).toBe(
      'WEBVTT\n\n00:00:01.500 --> 00:00:03.040\nHello,\nworld\n\n01:02:03.400 --> 01:02:04.005\nBye\n',
    )
  })

  test.each([
    ['one<br>two', 'one\ntwo'],
    ['one<BR/>two<br />three', 'one\ntwo\nthree'],
    ['<i>soft</i> <B>loud</B>', '<i>soft</i> <b>loud</b>'],
    ['<font color="red">red</font>', 'red'],
    ['a < b & c > d', 'a &lt; b &amp; c &gt; d'],
    ['already &amp; &lt;done&gt;', 'already &amp; &lt;done&gt;'],
    ['an arrow --> here', 'an arrow --&gt; here'],
    ['{\\an8}on top', 'on top'],
    ['<script>alert(1)</script>', 'alert(1)'],
    ['NOTE this', 'NOTE this'],
  ])('%j is shown as %j', (text, shown) => {
    expect(vtt('a.srt', `1\n00:00:00,000 --> 00:00:01,000\n${text}\n`)).toBe(
      `WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n${shown}\n`,
    )
  })

  test.each([
    ['nothing', ''],
    ['something else', 'other text'],
    ['an end before its start', '1\n00:00:02,000 --> 00:00:01,000\nx\n'],
    ['no text', '1\n00:00:01,000 --> 00:00:02,000\n\n'],
  ])('with %s shows nothing', (_name, content) => {
    expect(vtt('a.srt', content)).toBe('WEBVTT\n')
  })

  test.each([
    ['UTF-8', Buffer.from('\uFEFFgrün')],
    ['UTF-16', Buffer.from('\uFEFFgrün', 'utf16le')],
    ['UTF-16 the other way round', Buffer.from('\uFEFFgrün', 'utf16le').swap16()],
    ['Windows-1252', Buffer.from('grün', 'latin1')],
  ])('in %s is read', (name, sample) => {
    const encoding = name.startsWith('UTF-16') ? 'utf16le' : name === 'UTF-8' ? 'utf8' : 'latin1'
    const cue = Buffer.from('\n00:00:00,000 --> 00:00:01,000\ngrün', encoding)
    const body = name.endsWith('round') ? cue.swap16() : cue
    expect(toVtt('a.srt', Buffer.concat([sample, body])).toString()).toContain('\ngrün\n')
  })
})

const ASS = `[Script Info]
Title: x
Dialogue: 0,0:00:00.00,0:00:01.00,D,,0,0,0,,not an event

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:05.00,0:00:06.50,Default,,0,0,0,,second{\\i1}, with commas{\\i0}
Comment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,said to nobody
Dialogue: 0,0:00:01.25,0:00:02.00,Default,,0,0,0,,first\\Nline\\h<b>
Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\\p1}m 0 0 l 100 0{\\p0}
Dialogue: 0,soon,later,Default,,0,0,0,,no time
`

describe('SubStation Alpha', () => {
  test.each(['a.ass', 'a.SSA'])('in %s becomes WebVTT, in order, without styles and drawings', name => {
    expect(vtt(name, ASS)).toBe(
      'WEBVTT\n\n00:00:01.250 --> 00:00:02.000\nfirst\nline\u00A0&lt;b&gt;\n\n' +
        '00:00:05.000 --> 00:00:06.500\nsecond, with commas\n',
    )
  })

  test('follows its own order of fields', () => {
    const ssa = '[Events]\nFormat: Marked, Text2, End, Start, Text\nDialogue: Marked=0,x,0:00:02.00,0:00:01.00,a,b\n'
    expect(vtt('a.ssa', ssa)).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\na,b\n')
  })
})

test('WebVTT stays as it is', () => {
  const content = Buffer.from([0x57, 0xff, 0x00, 0x0a])
  expect(toVtt('a.VTT', content)).toEqual(content)
})

test('a large malformed file is converted quickly', () => {
  const began = process.cpuUsage()
  for (const part of ['<', '{\\', '<b', '00:00:01,000 --> ', '[', '&amp;', '\n', ' ', '<br', 'Dialogue:,']) {
    const content = part.repeat((1024 * 1024) / part.length)
    vtt('a.srt', `1\n00:00:01,000 --> 00:00:02,000\n${content}`)
    vtt('a.ass', `[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,D,,0,0,0,,${content}\n${content}`)
  }
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(8000)
})
