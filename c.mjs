import { makeEmitter } from '/tmp/tsw/emit.mjs';
import { parse } from 'yaml';
import { isDeepStrictEqual } from 'node:util';
import { writeFileSync, readFileSync } from 'node:fs';
const J=(v)=>JSON.parse(JSON.stringify(v));
const save=(f,v,head,em=makeEmitter({},140))=>{const t=head+em.top(J(v)); if(!isDeepStrictEqual(parse(t),J(v)))console.log('BAD',f); writeFileSync(f,t); console.log(f,t.split('\n').length, Math.max(...t.split('\n').map(x=>x.length)));};
// schema-fixtures
const {keywordFixtures:k}=await import('./test/scripts/testing/schema-values/schema-fixtures.ts');
const s=J(k).components.schemas; const {Many,...rest}=s;
save('test/scripts/testing/schema-values/schema-fixtures.yaml',rest,'# Schemas with every supported keyword, some in combinations that restrict each other.\n');
// rich parts
let src=readFileSync('test/scripts/contract/hostile-document.ts','utf8');
const body=src.slice(src.indexOf('const richParts = ')+18, src.indexOf('/** Adds every kind of part')).trim().replace(/;$/,'');
const rich=eval('('+body+')');
save('test/scripts/contract/rich-parts.yaml',rich,"# The parts that a document can contain besides the parts of Parley's own contract.\n");
// unusual
src=readFileSync('test/scripts/testing/conformance/unusual-contracts.test.ts','utf8').replace(/: Record<string, \{ openapi[^=]*=/,' =').replace(/\(schema: object\)/g,'(schema)').replace(/\((\w+): (object|string), (\w+): object\)/g,'($1,$3)').replace(/\((\w+): (object|string)\)/g,'($1)');
const part=src.slice(src.indexOf('const json ='), src.indexOf('async function write'));
const {contracts,ok,rejected}=new Function(part+'; return {contracts,ok,rejected}')();
const em=makeEmitter({ok, okOrRejected:{...ok,...rejected}},140);
const out={};
for(const [n,c] of Object.entries(J(contracts))){ const {paths,...o}=c; const own={...o};
  const allSlash=Object.keys(paths).every(p=>p.startsWith('/')); if(!allSlash) own.paths=paths; else Object.assign(own,paths);
  for(const [p,it] of Object.entries(allSlash?paths:{})) for(const m of ['get','put','post','delete']) if(it[m]&&isDeepStrictEqual(it[m].responses,J({...ok,...rejected}))) delete it[m].responses;
  for(const [p,it] of Object.entries(allSlash?paths:{})) for(const m of ['get','put','post','delete']) { const r=it[m]?.responses; const sch=r&&Object.keys(r).length===1&&r[200]?.content?.['application/json']?.schema; if(sch&&!isDeepStrictEqual(r,J(ok))&&Object.keys(r[200]).length===2&&Object.keys(r[200].content['application/json']).length===1){ delete it[m].responses; it[m].response=sch; } if(r?.[200]&&isDeepStrictEqual(r[200],J(ok)[200])&&!isDeepStrictEqual(r,J(ok))) r[200]='ALIAS'; if(r?.[422]&&isDeepStrictEqual(r[422],J(rejected)[422])) r[422]='ALIASNO'; }
 out[n]=own; }
const t=em.top(out).replaceAll('ALIASNO','*rejected').replaceAll('ALIAS','*yes'); writeFileSync('/tmp/tsw/unusual.yaml',t); console.log(t.split('\n').length);
