/** The look of the form that an operation is tried with. It is loaded with the form. */

export const tryCss = `
.try-dialog{inline-size:min(72rem,100vi - 2rem);max-inline-size:none;block-size:min(46rem,100dvb - 2rem);max-block-size:none;margin:auto;padding:0;border:1px solid var(--line);border-radius:var(--round);background:var(--raised);color:var(--ink);box-shadow:var(--lifted);overflow:hidden}
.try-dialog::backdrop{background:oklch(0 0 0/.4);backdrop-filter:blur(3px)}
.try{display:flex;flex-direction:column;block-size:100%}
.try header{display:flex;align-items:center;gap:.75rem;padding:.6rem .6rem .6rem 1.1rem;border-block-end:1px solid var(--line)}
[dir=rtl] .try header{padding:.6rem 1.1rem .6rem .6rem}
.try header code{flex:1;min-inline-size:0;overflow-wrap:anywhere;font:.9rem/1.5 var(--mono,ui-monospace,monospace)}
.try-parts{flex:1;min-block-size:0;display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1.1fr)}
.try-parts>*{min-block-size:0;overflow:auto;padding:1rem 1.1rem}
.try-answer{border-inline-start:1px solid var(--line);background:var(--panel)}
.try-answer:focus-visible{outline:2px solid var(--primary);outline-offset:-2px}
.try-answer h2{margin:0 0 .6rem;font-size:.8125rem;font-weight:600;color:var(--muted)}
.try-answer>div>*+*{margin-block-start:.75rem}
.try-answer [role=status]{display:flex;align-items:center;gap:.75rem;min-block-size:1.6rem;margin-block-end:.6rem}
.try fieldset{min-inline-size:0;margin:0 0 1.1rem;padding:0;border:0}
.try legend{margin-block-end:.4rem;padding:0;font-weight:600;font-size:.9375rem}
.try label{display:grid;grid-template-columns:minmax(7rem,34%) minmax(0,1fr);gap:.1rem .75rem;align-items:center;margin-block:.45rem;font-size:.875rem}
.try label>span{overflow-wrap:anywhere;font-family:var(--mono,ui-monospace,monospace);font-size:.8125rem}
.try label>small{grid-column:2;color:var(--muted)}
.try label em{color:var(--danger);font:italic .75rem var(--font,system-ui)}
.try :is(input,select,textarea){inline-size:100%;min-block-size:2.1rem;padding:.35rem .6rem;border:1px solid var(--edge);border-radius:var(--radius-small);background:var(--ground);color:var(--ink);font:inherit;font-size:.875rem}
.try fieldset>select{margin-block-end:.45rem}
.try textarea{font:.8125rem/1.5 var(--mono,ui-monospace,monospace);resize:vertical}
.try :is(input,select,textarea):focus-visible{outline:2px solid var(--primary);outline-offset:0}
.try ::placeholder{color:var(--muted);opacity:1}
.try-note,.try small{color:var(--muted);font-size:.8125rem}
.try-note{margin:.5rem 0}
.try-send{padding:.45rem 1.2rem;border:0;border-radius:var(--radius-small);background:var(--primary-fill);color:var(--on-primary);font:inherit;font-weight:600;cursor:pointer}
.try-failed{color:var(--danger)}
.try pre{margin-block:.75rem 0;padding:.75rem;border:1px solid var(--line);border-radius:var(--radius-small);background:var(--code-ground);color:var(--code);overflow:auto;direction:ltr;text-align:start;font:.8125rem/1.55 var(--mono,ui-monospace,monospace)}
.try pre .s{color:var(--code-s)}
.try pre .n{color:var(--code-n)}
.try pre .a{color:var(--code-a)}
.try summary{cursor:pointer;font-size:.875rem}
.try dl{margin:.5rem 0 0;font:.78125rem/1.5 var(--mono,ui-monospace,monospace);overflow-wrap:anywhere}
.try dt{color:var(--muted)}
.try dd{margin:0 0 .35rem}
.try [hidden]{display:none}
@media (max-width:48rem){.try-parts{display:block;overflow:auto}.try-parts>*{overflow:visible}.try-answer{border-inline-start:0;border-block-start:1px solid var(--line)}.try label{grid-template-columns:1fr}.try label>small{grid-column:1}}
`
