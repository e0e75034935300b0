/** Clipboards of other programs, as their formats have them, with the Markdown that each becomes. */

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

interface Fixture {
  readonly forms: { readonly [type: string]: string }
  readonly markdown: string
  /** Names of the files that the host gets. */
  readonly files?: ReadonlyArray<string>
}

export const fixtures: { readonly [program: string]: Fixture } = {
  "Word on the desktop": {
    forms: {
      "text/plain": "Brewing\r\n·\tGrind\r\no\tFinely\r\n1.\tPour\r\n",
      "text/html": `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta name=Generator content="Microsoft Word 15"><style><!-- p.MsoNormal {mso-style-unhide:no; color:red} @list l0 {mso-list-id:1} --></style></head><body lang=EN-US style='tab-interval:36.0pt'><!--StartFragment-->
<h1><span style='mso-bookmark:_Toc1'>Brewing</span><o:p></o:p></h1>
<p class=MsoNormal><b><span style='color:#C00000'>Hot</span></b> and <i>slow</i>.<o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol;mso-fareast-font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>Grind<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='margin-left:72.0pt;mso-add-space:auto;text-indent:-18.0pt;mso-list:l0 level2 lfo1'><![if !supportLists]><span style='font-family:"Courier New"'><span style='mso-list:Ignore'>o<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>Finely<o:p></o:p></p>
<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp;</span></span><![endif]>Pour<o:p></o:p></p>
<p class=MsoNormal><o:p>&nbsp;</o:p></p>
<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l1 level1 lfo2'><![if !supportLists]><span style='mso-list:Ignore'>1.<span>&nbsp;&nbsp;</span></span><![endif]>First<o:p></o:p></p>
<p class=MsoNormal><img width=10 height=10 src="file:///C:/Users/a/AppData/image001.png" v:shapes="Picture_1"></p>
<!--EndFragment--></body></html>`
    },
    markdown: "## Brewing\n\n**Hot** and _slow_.\n\n* Grind\n  * Finely\n* Pour\n\n1. First\n"
  },
  "Word on the web": {
    forms: {
      "text/html": `<div class="OutlineElement Ltr SCXW1" style="margin:0px"><p class="Paragraph SCXW1" role="heading" aria-level="2"><span data-contrast="auto" class="TextRun SCXW1" style="font-size:13pt"><span class="NormalTextRun">Steps</span></span><span class="EOP SCXW1" data-ccp-props="{}">&nbsp;</span></p></div><div class="ListContainerWrapper SCXW1"><ul class="BulletListStyle1 SCXW1" role="list"><li data-listid="1" data-aria-level="1" role="listitem" class="OutlineElement Ltr SCXW1"><p class="Paragraph SCXW1"><span class="TextRun">Grind</span></p></li></ul></div><div class="ListContainerWrapper SCXW1"><ul role="list"><li data-listid="1" data-aria-level="2" role="listitem"><p><span class="TextRun" style="font-weight:bold">Finely</span></p></li></ul></div><div class="ListContainerWrapper SCXW1"><ol role="list"><li data-listid="2" data-aria-level="1"><p>Pour</p></li></ol></div>`
    },
    markdown: "### Steps\n\n* Grind\n  * **Finely**\n\n1. Pour\n"
  },
  "Google Docs": {
    forms: {
      "text/plain": "Title\nPlain and bold.\n",
      "text/html": `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><h2 dir="ltr" style="line-height:1.38"><span style="font-size:16pt;font-family:Arial;font-weight:400">Title</span></h2><p dir="ltr"><span style="font-weight:400;font-style:normal">Plain and </span><span style="font-weight:700">bold</span><span style="font-weight:400;text-decoration:line-through">gone</span><a href="https://example.com/" style="text-decoration:none"><span style="color:#1155cc;text-decoration:underline">link</span></a></p><br /><ul style="margin-top:0"><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span style="font-weight:400">One</span></p></li><ul><li dir="ltr" aria-level="2"><p dir="ltr" role="presentation"><span>Nested</span></p></li></ul></ul><br /><p dir="ltr"><span><span style="border:none;display:inline-block"><img src="data:image/png;base64,${pixel}" width="40" height="40" /></span></span></p></b><br class="Apple-interchange-newline">`
    },
    markdown: "### Title\n\nPlain and **bold**~~gone~~[link](https://example.com/)\n\n* One\n  * Nested\n",
    files: ["picture-1.png"]
  },
  Excel: {
    forms: {
      "text/plain": "Bean\tPrice\r\nKenya\t12.5\r\nBrazil\t9\r\n",
      "text/html": `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><meta name=ProgId content=Excel.Sheet><style>.xl65{color:red}</style></head><body><table border=0 cellpadding=0 cellspacing=0 width=128 style='border-collapse:collapse'><!--StartFragment--><col width=64 span=2><tr height=20><td height=20 class=xl65 width=64>Bean</td><td width=64>Price</td></tr><tr><td>Kenya</td><td align=right x:num="12.5">12.5</td></tr><tr><td>Brazil</td><td align=right>9</td></tr><!--EndFragment--></table></body></html>`
    },
    markdown: "| Bean | Price |\n| --- | --- |\n| Kenya | 12.5 |\n| Brazil | 9 |\n"
  },
  Notion: {
    forms: {
      "text/html": `<meta charset='utf-8'><!-- notionvc: 1 --><h3>Plan</h3><p>See <code>mill</code></p><ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">Grind</span></li></ul><ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span>Pour</span></li></ul><details><summary>More</summary><p>Body</p></details><pre><code class="language-javascript">const a = 1\nb()</code></pre>`
    },
    markdown:
      "#### Plan\n\nSee `mill`\n\n* [x] Grind\n* [ ] Pour\n\n<details>\n\n<summary>More</summary>\n\nBody\n\n</details>\n\n```javascript\nconst a = 1\nb()\n```\n"
  },
  Confluence: {
    forms: {
      "text/html": `<div class="confluence-information-macro confluence-information-macro-note"><span class="aui-icon confluence-information-macro-icon"></span><div class="confluence-information-macro-body"><p>Mind the heat</p></div></div><ul class="inline-task-list" data-inline-tasks-content-id="1"><li class="checked" data-inline-task-id="1"><span>Done</span></li><li data-inline-task-id="2"><span>Open</span></li></ul><pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: java; gutter: false">int a;</pre><div class="table-wrap"><table class="confluenceTable"><tbody><tr><th class="confluenceTh" colspan="2"><p>Both</p></th></tr><tr><td class="confluenceTd"><ul><li>a</li></ul></td><td>b</td></tr></tbody></table></div>`
    },
    markdown:
      '{% hint style="warning" %}\nMind the heat\n{% endhint %}\n\n* [x] Done\n* [ ] Open\n\n```java\nint a;\n```\n\n| Both |  |\n| --- | --- |\n| <ul><li>a</li></ul> | b |\n'
  },
  "VS Code": {
    forms: {
      "text/plain": "let a = 1\nlet b",
      "vscode-editor-data": '{"version":1,"mode":"typescript"}',
      "text/html": `<meta charset='utf-8'><div style="color: #d4d4d4;background-color: #1e1e1e;font-family: Consolas, 'Courier New', monospace;white-space: pre;"><div><span style="color: #569cd6;">let</span> a = 1</div></div>`
    },
    markdown: "```typescript\nlet a = 1\nlet b\n```\n"
  },
  "an e-mail": {
    forms: {
      "text/html": `<div dir="ltr">Hello Ada,<div><br></div><div>the beans are <b>here</b>.<br>Come soon.</div><br><br><table role="presentation" width="600"><tr><td><table><tr><td>Regards</td></tr></table></td></tr></table><blockquote class="gmail_quote" style="margin:0"><div>When?<br><br>Now?</div></blockquote><img src="https://tracker.example/p.gif" width="1" height="1"></div>`
    },
    markdown: "Hello Ada,\n\nthe beans are **here**.\\\nCome soon.\n\nRegards\n\n> When?\n>\n> Now?\n"
  },
  "a hostile page": {
    forms: {
      "text/html": `<p onclick="alert(1)" style="background:url(https://evil.example)">Text<script>alert(1)</script><img src="x" onerror="alert(1)"><a href="javascript:alert(1)">link</a><a href="data:text/html,x">data</a></p><style>p{color:red}</style><iframe src="https://evil.example"></iframe><svg onload="alert(1)"><text>svg</text></svg><form><input value="x"><button>Go</button></form>`
    },
    markdown: "Textlinkdata\n"
  }
}
