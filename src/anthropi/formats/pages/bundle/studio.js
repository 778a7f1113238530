/*!
This file contains code of third parties:

three 0.187.0 (MIT)

The MIT License

Copyright © 2010-2026 three.js authors

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.

--------------------------------------------------------------------------------

uplot 1.6.32 (MIT)

The MIT License (MIT)

Copyright (c) 2022 Leon Sorokin

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.
*/
var e=class extends Error{link;joint;time;constructor(e,t=null,n=null,r=null){super(e),this.link=t,this.joint=n,this.time=r}},t=[300,600,1200,2500,5e3],n=`anthropi-token`,r=null;function i(){r??=new URLSearchParams(location.search).get(`token`);try{r?localStorage.setItem(n,r):r=localStorage.getItem(n)}catch{}return r??``}function a(e,t={}){return fetch(e,{...t,headers:{...t.headers,"X-Token":i()}})}var o=class{status=`none`;socket=null;sequence=null;next=1;tries=0;waiting=new Map;listeners=new Map;watchers=new Set;frames=new Set;open(){let e=i(),t=`${location.protocol===`https:`?`wss`:`ws`}://${location.host}/ws?token=${encodeURIComponent(e)}`;this.change(`connecting`);let n=new WebSocket(t);n.binaryType=`arraybuffer`,n.onopen=()=>{this.tries=0,location.search&&history.replaceState(null,``,location.pathname+location.hash),this.change(`open`)},n.onmessage=({data:e})=>typeof e==`string`?this.receive(e):this.show(e),n.onclose=({code:e})=>this.lost(e),this.socket=n}send(t,n){if(this.socket?.readyState!==WebSocket.OPEN)return Promise.reject(new e(this.status===`none`?`This page plays an exported motion and has no server.`:`The page is not connected to the server. Wait until it has reconnected.`));let r=this.next++,i=JSON.stringify({id:r,kind:t,...n});return new Promise((e,t)=>{this.waiting.set(r,{resolve:e,reject:t}),this.socket.send(i)})}post(e,t){this.socket?.readyState===WebSocket.OPEN&&this.socket.bufferedAmount<65536&&this.socket.send(JSON.stringify({id:this.next++,kind:e,...t}))}on(e,t){let n=this.listeners.get(e)??new Set;return this.listeners.set(e,n),n.add(t),()=>n.delete(t)}onFrame(e){return this.frames.add(e),()=>this.frames.delete(e)}onStatus(e){return this.watchers.add(e),e(this.status),()=>this.watchers.delete(e)}show(e){this.frames.forEach(t=>t(e));let t=this.sequence!==null;this.sequence=new DataView(e).getUint32(0,!0),!t&&requestAnimationFrame(()=>{this.socket?.readyState===WebSocket.OPEN&&this.socket.send(`{"kind":"frame_seen","sequence":${this.sequence}}`),this.sequence=null})}receive(t){let n=JSON.parse(t),r=n.id;if(typeof r!=`number`){this.listeners.get(String(n.kind))?.forEach(e=>e(n));return}let i=this.waiting.get(r);if(this.waiting.delete(r),n.ok===!0)return i?.resolve(n.result);let{message:a=`The command failed.`,link:o,joint:s,time:c}=n.error??{};i?i.reject(new e(a,o||null,s||null,c??null)):this.listeners.get(`problem`)?.forEach(e=>e({message:a,link:o??``,joint:s??``,time:c??null,task:0,level:`error`}))}lost(n){for(let{reject:t}of this.waiting.values())t(new e(`The connection to the server was lost. The page reconnects by itself.`));if(this.waiting.clear(),n===1008||n===4401||n===4403)return this.change(`closed`);this.change(`waiting`),setTimeout(()=>this.open(),t[Math.min(this.tries++,t.length-1)])}change(e){this.status=e,this.watchers.forEach(t=>t(e))}};function s(e,t,...n){let r=document.createElement(e);for(let[e,n]of Object.entries(t??{}))n!=null&&n!==!1&&(e.startsWith(`on`)&&typeof n==`function`?r.addEventListener(e.slice(2),n):e===`style`?Object.assign(r.style,n):e===`dataset`?Object.assign(r.dataset,n):e===`help`?r.dataset.help=String(n):e===`class`?r.className=String(n):e in r&&!e.startsWith(`aria-`)&&e!==`list`&&e!==`form`?Object.assign(r,{[e]:n}):r.setAttribute(e,n===!0?``:String(n)));return l(r,n),r}function c(e,...t){e.replaceChildren(),l(e,t)}function l(e,t){for(let n of t)n!=null&&n!==!1&&(Array.isArray(n)?l(e,n):e.append(n instanceof Node?n:String(n)))}var u=`http://www.w3.org/2000/svg`;function d(e,t=!1,n=18){let r=document.createElementNS(u,`svg`),i=document.createElementNS(u,`path`);i.setAttribute(`d`,e);for(let[e,i]of Object.entries({viewBox:`0 0 24 24`,width:n,height:n,"aria-hidden":!0,class:t?`icon filled`:`icon`}))r.setAttribute(e,String(i));return r.append(i),r}function f(e,t,n,r,i=!1){return s(`button`,{class:`icon-button`,type:`button`,"aria-label":t,help:n,onclick:r},d(e,i))}function p(e,t,n,r){let i=s(`button`,{class:`toggle`,type:`button`,"aria-pressed":String(n),help:t},e);return i.addEventListener(`click`,()=>{let e=i.getAttribute(`aria-pressed`)!==`true`;i.setAttribute(`aria-pressed`,String(e)),r(e)}),i}var m=4200,h=class{store;element=s(`div`,{class:`toasts`,role:`region`,"aria-label":`Messages`,"aria-live":`polite`});constructor(e){this.store=e}show(e){let t=this.find(e.text);t&&t.remove();let n=s(`button`,{class:`icon-button`,"aria-label":`Close this message`,onclick:()=>r.remove()},d(`M6 6l12 12M18 6L6 18`,!1,14)),r=s(`div`,{class:`toast ${e.tone}`,role:e.tone===`error`?`alert`:`status`},s(`span`,{class:`dot`}),s(`div`,{class:`toast-text`},s(`p`,null,e.text),this.where(e)),e.action&&s(`button`,{class:`quiet`,onclick:()=>(r.remove(),e.action.run())},e.action.label),n);for(this.element.append(r);this.element.children.length>4;)this.element.firstElementChild.remove();e.tone!==`error`&&setTimeout(()=>r.remove(),e.action?2*m:m)}find(e){return[...this.element.children].find(t=>t.querySelector(`p`)?.textContent===e)}where(e){let t=[],{link:n,joint:r,time:i}=e;return n&&t.push(s(`button`,{class:`place`,onclick:()=>this.toLink(e=>e.name===n)},`link ${n}`)),r&&t.push(s(`button`,{class:`place`,onclick:()=>this.toLink(e=>e.joint.name===r)},`joint ${r}`)),typeof i==`number`&&t.push(s(`button`,{class:`place`,onclick:()=>this.store.set(`time`,i)},`${i.toFixed(3)} s`)),t.length?s(`div`,{class:`places`},t):null}toLink(e){let t=this.store.get(`motion`);(t?.figures??[]).forEach(({appearance:n},r)=>{let i=t?.ids[r]??r,a=n.links.findIndex(e);a>=0&&this.store.set(`selection`,{figure:i,link:a,dof:n.links[a].joint.name})})}};function g(e,t){let{message:n,link:r,joint:i,time:a}=t;e.notify({tone:`error`,text:n||String(t),link:r??null,joint:i??null,time:a??null})}var _=new Float32Array([0]),v={f4:Float32Array,f8:Float64Array,i4:Int32Array,u1:Uint8Array,u2:Uint16Array,u4:Uint32Array},y=class e{header;tables;ids;constructor(e,t){this.header=e,this.tables=t,this.ids=e.figures.map((e,t)=>t)}static read(t){if(String.fromCharCode(...new Uint8Array(t,0,Math.min(4,t.byteLength)))!==`APM1`)throw Error(`This file is not a motion: it does not begin with APM1.`);let n=new DataView(t).getUint32(4,!0),r=new Map,i=JSON.parse(new TextDecoder().decode(new Uint8Array(t,8,n)));if(i.version!==1)throw Error(`This motion has format version ${i.version}, but this page can read only version 1. Export it again.`);for(let{name:e,type:a,shape:o,offset:s}of i.arrays){let i=o.reduce((e,t)=>e*t,1),c=8+n+s,l=v[a],u=c%l.BYTES_PER_ELEMENT?new l(t.slice(c,c+i*l.BYTES_PER_ELEMENT)):new l(t,c,i);r.set(e,b(u instanceof Float32Array?u:Float32Array.from(u),o))}return new e(i,r)}static still(t,n,r,i){let a=new Map([[`time`,b(new Float32Array([0]),[1])]]);return n.forEach(({poses:e},t)=>a.set(`poses/${t}`,b(Float32Array.from(e.flat()),[1,e.length,7]))),new e({version:1,title:t,figures:n,frames:1,arrays:[],channels:[],events:[],ground:r,things:i,camera:null},a)}get time(){return this.tables.get(`time`)?.data??_}get frames(){return this.time.length}get start(){return this.time[0]??0}get end(){return this.time[this.frames-1]??0}get span(){return this.end-this.start}get figures(){return this.header.figures}table(e){return this.tables.get(e)??null}place(e){let t=this.time,n=this.frames-1;if(n<1||e<=t[0])return[0,0];if(e>=t[n])return[n,0];let r=0,i=n;for(;i-r>1;){let n=r+i>>1;t[n]<=e?r=n:i=n}return[r,(e-t[r])/Math.max(t[i]-t[r],1e-12)]}nearest(e){let[t,n]=this.place(e);return n>.5?t+1:t}column(e){let t=this.table(e.array),n=new Float64Array(this.frames).fill(NaN);if(t)for(let r=0;r<this.frames;r++)n[r]=t.data[r*t.stride+e.column]??NaN;return n}sample(e,t,n){let[r,i]=this.place(t),a=r*e.stride,o=Math.min(r+1,this.frames-1)*e.stride;for(let t=0;t<e.stride;t++)n[t]=(1-i)*e.data[a+t]+i*e.data[o+t];return n}poses(e,t,n){let r=this.table(`poses/${e}`);if(!r)return n;let[i,a]=this.place(t),o=r.data;return x(o,i*r.stride,o,Math.min(i+1,this.frames-1)*r.stride,a,r.stride/7,n)}};function b(e,t){return{data:e,shape:t,stride:t.slice(1).reduce((e,t)=>e*t,1)}}function x(e,t,n,r,i,a,o){for(let s=0;s<a;s++,t+=7,r+=7){let a=7*s;for(let s=0;s<3;s++)o[a+s]=(1-i)*e[t+s]+i*n[r+s];let c=0,l=0;for(let i=3;i<7;i++)c+=e[t+i]*n[r+i];let u=c<0?-i:i;for(let s=3;s<7;s++){let c=(1-i)*e[t+s]+u*n[r+s];o[a+s]=c,l+=c*c}l=Math.sqrt(l)||1;for(let e=3;e<7;e++)o[a+e]=o[a+e]/l}return o}function S(e){let t=atob(e.trim()),n=new Uint8Array(t.length);for(let e=0;e<t.length;e++)n[e]=t.charCodeAt(e);return n.buffer}function C(e){return new v[e.type](S(e.data))}var w=16,T=class extends y{run;count=0;room=256;constructor(e,t,n,r){let i=new Map([[`time`,b(new Float32Array(256),[256])]]);e.links.forEach((e,t)=>i.set(`poses/${t}`,b(new Float32Array(256*e*7),[256,e,7]))),e.points.forEach((e,t)=>e&&i.set(`contact/${t}`,b(new Float32Array(256*e*6),[256,e,6]))),super({version:1,title:`live`,figures:t,frames:0,arrays:[],channels:[],events:[],ground:n,things:r,camera:null},i),this.run=e,this.ids=[...e.figures]}get frames(){return this.count}take(e){let t=new DataView(e);if(e.byteLength<w||t.getUint32(4,!0)!==this.run.run)return!1;let n=t.getFloat32(8,!0);if(this.count&&n<=this.time[this.count-1])return!1;this.count===this.room&&this.grow();let r=new Float32Array(e,w),i=this.count;this.tables.get(`time`).data[i]=n;let a=0;return this.run.links.forEach((e,t)=>{for(let e of[`poses/${t}`,`contact/${t}`]){let t=this.tables.get(e);t&&(t.data.set(r.subarray(a,a+t.stride),i*t.stride),a+=t.stride)}}),this.count=i+1,!0}grow(){this.room*=2;for(let[e,{data:t,shape:n}]of this.tables){let r=new Float32Array(2*t.length);r.set(t),this.tables.set(e,b(r,[this.room,...n.slice(1)]))}}},E=6;function D(e){let{store:t,connection:n}=e,r=new Map,i=null,a,o=null,s=!1;n.onStatus(r=>{r===`open`&&(a=void 0,n.send(`get_help`,{}).then(e=>t.set(`welcome`,e)).catch(t=>{n.status===`open`&&g(e,t)}))}),n.on(`project_changed`,({project:e})=>{let n=new Map([...t.get(`figures`)].filter(([t])=>e.figures.some(e=>e.figure===t)));n.size!==t.get(`figures`).size&&t.set(`figures`,n),t.set(`cameraKeys`,e.camera_keys),t.set(`project`,e),e.figures.some(e=>e.figure===t.get(`selection`).figure)||t.set(`selection`,{figure:e.figures[0]?.figure??0,link:null,dof:null}),l(e)}),n.on(`figure_changed`,({figure:e})=>{let n=e.appearance??t.get(`figures`).get(e.figure)?.appearance??null;c({...e,appearance:n})}),n.on(`figure_looks`,({figure:e,appearance:n})=>{let r=t.get(`figures`).get(e);r&&c({...r,appearance:n})}),n.on(`motion_made`,({motion:{motion:e}})=>{r.delete(e),e===a&&(a=void 0),e===o&&(o=null)}),n.on(`live`,e=>f(e)),n.onFrame(e=>{if(!i?.take(e))return;let{time:n,frames:r}=i;t.get(`motion`)!==i&&t.set(`motion`,i),t.get(`live`)&&t.set(`time`,n[r-1])}),n.on(`problem`,({message:t,link:n,joint:r,time:i,level:a})=>e.notify({tone:a===`error`?`error`:`info`,text:t,link:n,joint:r,time:i}));function c(e){t.set(`figures`,new Map(t.get(`figures`)).set(e.figure,e));let n=t.get(`project`);n&&n.shown===null&&!i&&d(n)}function l(e){if(i&&i.run.state!==`stopped`)return;if(e.shown===null){a=null,e.figures.every(({figure:e})=>t.get(`figures`).has(e))&&d(e);return}if(e.shown===a)return;a=e.shown;let n=e.motions.find(({motion:e})=>e===a);n&&u(n,e)}async function u(n,i){try{let e=r.get(n.motion)??await k(n,i);if(r.set(n.motion,e),r.size>E&&r.delete(r.keys().next().value),a!==n.motion)return;let c=o;if(o=n.motion,s=!1,t.set(`motion`,e),c===n.motion)return;t.set(`time`,n.kind===`frame`?e.end:e.start),t.set(`playing`,n.kind!==`frame`&&n.kind!==`live`&&e.frames>1)}catch(t){g(e,t)}}function d(e){let n=e.figures.map(({figure:e})=>t.get(`figures`).get(e)).filter(e=>!!e?.appearance),{ground:r,obstacles:i}=O(e),a=y.still(e.name,n.map(e=>({name:e.name,appearance:e.appearance,poses:e.poses})),r,i);a.ids=n.map(e=>e.figure);let c=s;o=null,s=!0,t.set(`playing`,!1),t.set(`motion`,a),c||t.set(`time`,0)}function f(e){let n=e.state===`running`||e.state===`paused`||e.state===`building`,r=e=>`${e.run} ${e.figures} ${e.links} ${e.points}`;if(n&&(!i||r(i.run)!==r(e))){let n=t.get(`project`),r=e.figures.map(e=>t.get(`figures`).get(e)).map(e=>({name:e?.name??``,appearance:e?.appearance}));if(r.some(({appearance:e})=>!e))return;let{ground:a,obstacles:o}=n?O(n):{ground:null,obstacles:[]};i=new T(e,r,a,o),t.set(`playing`,!1),s=!1}n||(i=null),t.set(`run`,e),t.set(`live`,e.state===`running`);let a=t.get(`project`);!n&&a&&l(a)}}function O(e){let{ground:t,things:n}=e.surroundings;return{ground:t??null,obstacles:n??[]}}async function k(e,t){let n=await a(e.address);if(!n.ok)throw Error(`The motion '${e.title}' could not be loaded from the server (status ${n.status}). Reload the page.`);let r=y.read(await n.arrayBuffer()),i=e.figure===null?t.figures.map(({figure:e})=>e):[e.figure];return r.ids=r.figures.map((e,t)=>i[t]??-1-t),r}var A={play:`M8 5.2v13.6L19 12z`,pause:`M7 5h3.4v14H7zM13.6 5H17v14h-3.4z`,first:`M6 5v14M19 5.5L9.5 12l9.5 6.5z`,last:`M18 5v14M5 5.5L14.5 12L5 18.5z`,back:`M15 6l-6 6l6 6`,forward:`M9 6l6 6l-6 6`,loop:`M17 3l3 3l-3 3M4 11V9a3 3 0 0 1 3-3h13M7 21l-3-3l3-3M20 13v2a3 3 0 0 1-3 3H4`,key:`M12 4l7 8l-7 8l-7-8z`,camera:`M4 8h3l1.6-2.5h6.8L17 8h3v11H4zM12 10a3.4 3.4 0 1 1 0 6.8a3.4 3.4 0 0 1 0-6.8`,plots:`M4 4v16h16M7 15l3.5-5l3 3L19 6`,look:`M6 3.5l12.5 8.2l-5.6 1.2l3 5.8l-2.4 1.2l-3-5.8L6 18.2z`,hand:`M8 12.5V6.2a1.5 1.5 0 0 1 3 0V11V4.7a1.5 1.5 0 0 1 3 0V11V6a1.5 1.5 0 0 1 3 0v8.5c0 3.6-2.2 6-5.6 6c-3 0-4.3-1.4-5.6-3.8l-2-3.7a1.5 1.5 0 0 1 2.5-1.6z`,impulse:`M13 3L5 13.5h6L10 21l9-11h-6.4z`,stick:`M12 5.2m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0M12 7.2V14M12 14l-4 6.5M12 14l4 6.5M6.5 11L12 9l5.5 2`,volume:`M12 3.2l7.5 4.2v9.2L12 20.8l-7.5-4.2V7.4zM4.5 7.4L12 11.6l7.5-4.2M12 11.6v9.2`,surface:`M12 3a3 3 0 0 1 2.2 5c2.6.6 3.8 2.3 3.8 5.5c0 1.4-.6 2-1.6 2l-.6 5.5H8.200l-.6-5.500c-1 0-1.600-.6-1.600-2c0-3.200 1.200-4.900 3.800-5.500A3 3 0 0 1 12 3`,orbit:`M12 12m-2.200 0a2.200 2.200 0 1 0 4.400 0a2.200 2.200 0 1 0-4.400 0M3.500 12c0-2.500 3.800-4.500 8.500-4.500s8.500 2 8.500 4.500s-3.800 4.500-8.500 4.500S3.500 14.500 3.500 12`,follow:`M4 9V5.500A1.500 1.500 0 0 1 5.500 4H9M15 4h3.500A1.500 1.500 0 0 1 20 5.500V9M20 15v3.500a1.500 1.500 0 0 1-1.500 1.500H15M9 20H5.500A1.500 1.500 0 0 1 4 18.500V15M12 12m-2.500 0a2.500 2.500 0 1 0 5 0a2.500 2.500 0 1 0-5 0`,fixed:`M12 12L7 21M12 12l5 9M12 12v9M7 4h10v8H7z`,keyed:`M4 17c4 0 4-10 8-10s4 10 8 10M4 17m-1.500 0a1.500 1.500 0 1 0 3 0a1.500 1.500 0 1 0-3 0M20 17m-1.500 0a1.500 1.500 0 1 0 3 0a1.500 1.500 0 1 0-3 0M12 7m-1.500 0a1.500 1.500 0 1 0 3 0a1.500 1.500 0 1 0-3 0`,eye:`M2.500 12S6 5.500 12 5.500S21.500 12 21.500 12S18 18.500 12 18.500S2.500 12 2.500 12M12 12m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0`,view:`M4 7l8-4l8 4v10l-8 4l-8-4zM12 12v9M4 7l8 5l8-5`,help:`M12 12m-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0M9.500 9.300a2.600 2.600 0 1 1 3.700 2.600c-.8.4-1.200.9-1.200 1.800M12 16.800v.1`,keyboard:`M3 7h18v10H3zM7 10.500v0M11 10.500v0M15 10.500v0M8 14h8`,moon:`M20 13.500A8 8 0 1 1 10.500 4a6.500 6.500 0 0 0 9.500 9.500`,sun:`M12 12m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0M12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M5.300 18.700l1.400-1.400M17.300 6.700l1.400-1.400`,gallery:`M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z`,close:`M6 6l12 12M18 6L6 18`,add:`M12 5v14M5 12h14`,stop:`M6.500 6.500h11v11h-11z`,live:`M12 12m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0M6.300 6.300a8 8 0 0 0 0 11.400M17.700 6.300a8 8 0 0 1 0 11.400`,picture:`M4 5h16v14H4zM4 16l5-5l4 4l2.500-2.500L20 17M15.500 9m-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0`,search:`M10.500 10.500m-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0M15 15l5 5`,ghost:`M6 20V10a6 6 0 0 1 12 0v10l-2-1.800l-2 1.800l-2-1.800l-2 1.800l-2-1.800zM10 10v.1M14 10v.1`};function j(e,...t){let n=s(`dialog`,{class:`window`,"aria-label":e},s(`header`,null,s(`h2`,null,e),f(A.close,`Close`,`Close (Esc).`,()=>n.close())),s(`div`,{class:`window-content`},t));return n.addEventListener(`close`,()=>n.remove()),n.addEventListener(`click`,e=>e.target===n&&n.close()),document.body.append(n),n.showModal(),n}function M(e){let t=e.store.get(`welcome`);if(!t)return e.notify({tone:`info`,text:`The examples cannot be listed, because the page is not connected to the server yet. Wait a moment and try again.`});let n=(e,t)=>s(`div`,{class:`cards`},e.map(({name:e,words:n})=>s(`button`,{class:`card`,type:`button`,dataset:{example:e},onclick:()=>{i.close(),t(e)}},s(`span`,{class:`card-picture`},d(ee(e,n),!1,30)),s(`b`,null,N(e)),s(`span`,{class:`quiet-text`},n)))),r=e=>[...new Set(e.map(({group:e})=>e))].map(t=>({group:t,own:e.filter(e=>e.group===t)})),i=j(`Examples`,s(`div`,{class:`gallery`},r(t.examples).map(({group:t,own:r})=>s(`section`,null,s(`h4`,null,t||`Ready to run`),n(r,t=>e.run(`open_example`,{name:t})))),t.samples.length>0&&r(t.samples).map(({group:t,own:r})=>s(`section`,null,s(`h4`,null,t||`Figures`),n(r,t=>e.run(`open_sample`,{name:t}))))))}function N(e){let t=e.replaceAll(`_`,` `);return t.charAt(0).toUpperCase()+t.slice(1)}function ee(e,t){let n=e=>ne.find(([t])=>t.test(e.toLowerCase()))?.[1];return n(e)??n(t)??A.volume}var te=(e,t)=>`M${e} ${t}m-1.800 0a1.800 1.800 0 1 0 3.600 0a1.800 1.800 0 1 0-3.600 0`,ne=[[/fall/,`${te(18.5,12)}M16.800 12.800L9.500 15.500L4 13.500M9.500 15.500L5 19.500M15 13.500L16 18.500M2.500 21h19`],[/push|force|hit/,`${te(13.5,4.5)}M13 6.500L14.500 13L11.500 20.500M14.500 13L18 20M13.300 8.500L17.500 11M2.500 9h6.500M6.500 6.500L9 9L6.500 11.500`],[/box|obstacle/,`${te(7,5)}M7 7v6.500L4.500 20.500M7 13.500L9.500 20.500M4 11L7 8.500L10 11M13.500 15h7v5.500h-7zM15 11h4.500v4H15z`],[/live|drag/,`${te(12,4.5)}M12 6.500L11.500 13.500L8 20.500M11.500 13.500L14.500 17L14 21M12 8.500L8.500 11.500M12 8.500L18 7M18 7l3.500-2M20 3.500l1.500 1.500L20 7`],[/tired|slow/,`${te(15.5,6.5)}M14 8L11 14.500L9.500 20.500M11 14.500L14 17.500L13.500 21M13.500 9L14.500 14.500`],[/word|script/,`${te(7.5,8)}M7.500 10v5L5 21M7.500 15L10 21M4.500 13.500L7.500 11.500L10.500 13.500M12 3h9v6.500h-5.500L13 12V9.500h-1zM14 6.200h5`],[/plan|hidds|thesis/,`${te(8.5,4.5)}M8.500 6.500L8 13.500L5 20.500M8 13.500L11 20.500M5.500 10.500L8.500 8.500L11.500 11M14 20.500h2.500M18.500 20.500H21M14 6c2 0 2 6 3.500 6S19 9 21 9`],[/wav|key/,`${te(12,5)}M12 7v6.500L9 20.500M12 13.500L15 20.500M12 9L8 12M12 9l4-1.500L18.500 3M20.500 3.500c.8 1 .8 2 .2 3`],[/pendul|chain|swing/,`M5 4h14M12 4l4.500 7.500L13 18M13 18m-2.200 0a2.200 2.200 0 1 0 4.400 0a2.200 2.200 0 1 0-4.400 0M16.500 11.500v.1`],[/terrain|rough|stairs|hill|slope/,`M3 18l5-7l4 4l4-8l5 11z`],[/hopper|jump|run/,`M12 3v5M9 8h6l-5 3h5l-5 3h5l-5 3M12 17v4M7 21h10`],[/roach|insect|six/,`M5 12h14M8 12L5 6M12 12V5M16 12l3-6M8 12l-3 6M12 12v7M16 12l3 6`],[/arm|robot/,`M5 20h6M8 20v-6l6-5l4 3M14 9m-1.500 0a1.500 1.500 0 1 0 3 0a1.500 1.500 0 1 0-3 0`],[/walk|human|person|gait/,`${te(12.5,4.5)}M12.500 6.500L12 13.500L8 20.500M12 13.500L15 17L14.500 21M12.500 8.500L9 12.500M12.500 8.500L16 12`]],P=(e,t,n)=>({topic:e,title:t,text:n}),re=[P(`First steps`,`Layout`,`The stage in the middle shows the figures. Commands are on the left, degrees of freedom of the chosen link on the right, timeline and plots below.
The arrow at the edge of a column folds it.`),P(`First steps`,`A walking human`,`Press Live to start a live simulation. The human walks; a controller keeps it in balance. Drag an arm or the pelvis with the Hand tool, or push it with the Push tool. Change speed and style in the Live panel while it walks.`),P(`First steps`,`Play a motion`,`Space plays and pauses, ← and → step through the frames. Drag in the timeline or in a plot to change the time. The pace is the ratio to real time: 0.1 is ten times slower.`),P(`Stage`,`Cameras`,`Orbit is a free camera: drag to rotate, scroll to zoom, right-drag to pan. Follow moves with the figure. Fixed stays in place and turns to the figure. Keys follows the camera keys on the timeline; C sets one.`),P(`Stage`,`Bodies`,`Stick shows bones and joints. Volume shows the shapes from which masses are computed. Surface shows a skin made from the figure's dimensions, or the meshes of its file.`),P(`Stage`,`Overlays`,`The menu Show switches overlays on and off: ground reaction forces as arrows, centre of mass, centre of pressure, the virtual leg between them, joint limits as fans and cones, trails, ghosts and names.`),P(`Stage`,`Choose a link`,`Click a link on the stage: the right column shows its joint. A double click or F centres it.`),P(`Stage`,`Drag and push`,`In a live run, the Hand tool pulls a link with a spring. Without one, it poses the figure: the other links follow by inverse kinematics. The Push tool applies an impulse: drag an arrow from a link, or click it.`),P(`Timeline`,`Steps`,`The bars show the stance phases of the left and the right foot, from heel strike to toe-off.`),P(`Timeline`,`Keys`,`K sets a key with the pose of the chosen figure at this time. Drag a diamond to move a key. Delete removes the chosen key. Interpolate computes a smooth motion through all keys. Page Down and Page Up go from key to key.`),P(`Timeline`,`Zoom`,`The mouse wheel zooms the timeline and the plots about the pointer; with Shift it scrolls.`),P(`Plots`,`Channels`,`Choose any angles, rates, torques, forces and positions of the motion. The vertical line is the time shown on the stage; click or drag in a plot to move it. Angles are in degrees.`),P(`Terms`,`Terms`,`A figure is a tree of links. A joint connects a link to its parent and has degrees of freedom. A motion is a recorded sequence of poses with forces and events. A scene consists of figures, ground and obstacles.`)],F=class{app;shortcuts;element=s(`aside`,{class:`help-panel`,"aria-label":`Help`,hidden:!0});topics=[...re];list=s(`div`,{class:`help-list`});search=s(`input`,{type:`search`,placeholder:`Search the help`,"aria-label":`Search the help`});asking=!1;constructor(e,t,n){this.app=e,this.shortcuts=t;let r=s(`button`,{class:`quiet`,type:`button`,help:`Click this button, then any control. The help on that control is shown here.`,onclick:()=>this.ask()},d(A.look,!1,15),`What is this?`);c(this.element,s(`header`,null,s(`h2`,null,`Help`),f(A.close,`Close the help`,`Close the help (Esc).`,()=>this.open(!1))),s(`div`,{class:`row help-tools`},r,e.store.get(`mode`)===`studio`&&s(`button`,{class:`quiet`,type:`button`,help:`Shows the tour of the page again.`,onclick:()=>(this.open(!1),n())},d(A.follow,!1,15),`Tour`)),this.search,this.list),this.search.addEventListener(`input`,()=>this.show()),this.element.addEventListener(`keydown`,e=>e.key===`Escape`&&this.open(!1)),document.addEventListener(`click`,e=>this.answer(e),!0),e.shortcut(`h`,`Help`,()=>this.open())}add(e,t,n){this.topics.push({topic:e,title:t,text:n})}open(e=this.element.hidden){this.element.hidden=!e,e&&(this.show(),this.search.focus())}show(e=[]){let t=this.search.value.toLowerCase().split(/\s+/).filter(Boolean),n=this.topics.filter(({topic:e,title:n,text:r})=>t.every(t=>`${e} ${n} ${r}`.toLowerCase().includes(t))),r=[...new Set([...e,...n].map(({topic:e})=>e))];c(this.list,r.map(t=>s(`section`,null,s(`h4`,null,t),[...e,...n].filter(e=>e.topic===t).map(({title:n,text:r},i)=>s(`details`,{open:e.length>0&&i===0&&t===e[0].topic},s(`summary`,null,n),r.split(`
`).map(e=>s(`p`,null,e)))))),!t.length&&s(`section`,null,s(`h4`,null,`Keyboard shortcuts`),this.shortcuts.sheet()),!r.length&&s(`p`,{class:`quiet-text`},`No topic contains these words.`))}ask(){this.asking=!0,document.documentElement.classList.add(`asking`),this.app.notify({tone:`info`,text:`Click any control to see what it does. Esc cancels.`}),addEventListener(`keydown`,e=>e.key===`Escape`&&this.endAsking(),{once:!0})}endAsking(){this.asking=!1,document.documentElement.classList.remove(`asking`)}answer(e){if(!this.asking)return;e.preventDefault(),e.stopPropagation(),this.endAsking();let t=e.target.closest(`[data-help]`),n=t?.getAttribute(`aria-label`)??t?.textContent?.trim()??``;this.open(!0),this.show([{topic:`What is this?`,title:n||`No control`,text:t?.dataset.help??`There is no control here. Click a button, a field or a slider.`}])}},ie={" ":`space`,arrowleft:`left`,arrowright:`right`,arrowup:`up`,arrowdown:`down`,escape:`esc`},ae=class{list=[];constructor(){addEventListener(`keydown`,e=>this.press(e))}add(e,t,n){let r=e.toLowerCase(),i=this.list.findIndex(e=>e.keys===r);i>=0&&this.list.splice(i,1),this.list.push({keys:r,what:t,run:n})}press(e){if(e.defaultPrevented)return;let t=oe(e),n=e.target,r=n.isContentEditable||/^(INPUT|TEXTAREA|SELECT)$/.test(n.tagName),i=n instanceof HTMLInputElement&&[`range`,`checkbox`,`radio`,`button`].includes(n.type);if(r&&!t.includes(`ctrl+`)&&(!i||/^(left|right|up|down|home|end|space)$/.test(t))||t===`space`&&/^(BUTTON|A|SUMMARY)$/.test(n.tagName))return;let a=this.list.find(e=>e.keys===t);a&&(e.preventDefault(),a.run())}sheet(){return s(`table`,{class:`sheet`},s(`tbody`,null,this.list.map(({keys:e,what:t})=>s(`tr`,null,s(`td`,null,e.split(`+`).map((e,t)=>[t?` `:``,s(`kbd`,null,I(e))])),s(`td`,null,t)))))}};function oe(e){let t=e.key.toLowerCase(),n=ie[t]??t,r=e.shiftKey&&(n.length>1||/[a-z]/.test(n));return`${e.ctrlKey||e.metaKey?`ctrl+`:``}${e.altKey?`alt+`:``}${r?`shift+`:``}${n}`}function I(e){return{left:`←`,right:`→`,up:`↑`,down:`↓`,ctrl:`Ctrl`,shift:`Shift`,alt:`Alt`,space:`Space`,esc:`Esc`,home:`Home`,end:`End`}[e]??(e.length===1?e.toUpperCase():e)}var se=450,ce=5e3;function le(){let e=s(`div`,{class:`tip`,role:`tooltip`,id:`tip`,hidden:!0}),t=0,n=0,r=null,i=()=>{clearTimeout(t),clearTimeout(n),e.hidden=!0,r?.removeAttribute(`aria-describedby`),r=null},a=t=>{e.textContent=t.dataset.help??``,(t.closest(`dialog`)??document.body).append(e),e.hidden=!1,t.setAttribute(`aria-describedby`,`tip`);let n=t.getBoundingClientRect(),r=e.getBoundingClientRect(),i=n.bottom+r.height+14<innerHeight;e.style.left=`${Math.min(Math.max(8,n.left+n.width/2-r.width/2),innerWidth-r.width-8)}px`,e.style.top=`${i?Math.min(n.bottom,innerHeight-r.height-16)+8:Math.max(8,n.top-r.height-8)}px`},o=(e,n)=>{let o=e?.closest?.(`[data-help]`)??null;o!==r&&(i(),r=o,o&&o.tagName!==`CANVAS`&&o.dataset.tip!==`none`&&(t=window.setTimeout(()=>a(o),n)))};addEventListener(`pointerover`,e=>o(e.target,se)),addEventListener(`focusin`,e=>{e.target.matches(`:focus-visible`)&&(o(e.target,se),n=window.setTimeout(i,ce))}),addEventListener(`focusout`,i),addEventListener(`pointerdown`,i,!0),addEventListener(`keydown`,e=>e.key===`Escape`&&i(),!0)}var ue=`anthropi.theme`;function de(){let e=pe(ue);return e===`dark`||e===`light`?e:matchMedia(`(prefers-color-scheme: light)`).matches?`light`:`dark`}function fe(e){e.on(`theme`,e=>{document.documentElement.dataset.theme=e,e!==de()&&me(ue,e)},!0)}function pe(e){try{return localStorage.getItem(e)}catch{return null}}function me(e,t){try{localStorage.setItem(e,t)}catch{}}var he=`anthropi.tour`,ge=[[`.stage`,`The stage`,`Drag to rotate the view, scroll to zoom. Click a link to choose it.`],[`.live-box`,`Live`,`This button starts a live simulation. Then drag an arm or the pelvis and see how the figure reacts.`],[`.toolbar`,`Tools, bodies, cameras`,`Choose the pointer tool, how bodies are drawn, the camera, and overlays such as forces, centre of mass, limits and trails.`],[`.column.left`,`Commands`,`Build a figure, compute dynamics, make it walk. Ctrl Z undoes every edit.`],[`.column.right`,`Degrees of freedom`,`Angles, limits, locks, springs, dampers and forces of the chosen link.`],[`.timeline-place`,`Timeline`,`Space plays. Drag to change the time, K sets a key. The bars are the stance phases of the left and the right foot.`],[`.plots-place`,`Plots`,`Channels of the motion over time. Press Channels to choose them.`],[`.bar-tools`,`Help`,`Hover over any control to see what it does. ? shows the keyboard shortcuts, H the help.`]];function _e(){let e=0,t=s(`div`,{class:`tour-hole`}),n=s(`div`,{class:`tour-words`,role:`dialog`,"aria-label":`Tour`}),r=s(`div`,{class:`tour`},t,n),i=()=>{me(he,`done`),r.remove(),removeEventListener(`keydown`,o,!0)},a=r=>{let o=ge.filter(([e])=>ye(e));if(e+=r,e<0&&(e=0),e>=o.length)return i();let[l,u,d]=o[e],f=document.querySelector(l).getBoundingClientRect();Object.assign(t.style,{left:`${f.left-4}px`,top:`${f.top-4}px`,width:`${f.width+8}px`,height:`${f.height+8}px`}),c(n,s(`h2`,null,u),s(`p`,null,d),s(`div`,{class:`row`},s(`span`,{class:`quiet-text spread`},`${e+1} of ${o.length}`),s(`button`,{class:`quiet`,onclick:i},`Skip`),e>0&&s(`button`,{onclick:()=>a(-1)},`Back`),s(`button`,{class:`primary`,onclick:()=>a(1)},e+1===o.length?`Done`:`Next`))),be(n,f),n.querySelector(`.primary`).focus()},o=e=>{if(e.key===`Escape`)i();else if(e.key===`ArrowRight`)a(1);else if(e.key===`ArrowLeft`)a(-1);else return;e.preventDefault(),e.stopPropagation()};addEventListener(`keydown`,o,!0),document.body.append(r),a(0)}function ve(){!pe(he)&&location.hash!==`#quiet`&&!navigator.webdriver&&_e()}function ye(e){let t=document.querySelector(e);return!!t&&t.getBoundingClientRect().width>8}function be(e,t){let{width:n,height:r}=e.getBoundingClientRect(),i=t.right+14+n<innerWidth?t.right+14:t.left-14-n>0?t.left-14-n:t.left+t.width/2-n/2,a=i>=t.right||i+n<=t.left?t.top+10:t.top-14-r>0?t.top-14-r:t.height>2*r?t.top+t.height/2-r/2:t.bottom+14;e.style.left=`${Math.min(Math.max(10,i),innerWidth-n-10)}px`,e.style.top=`${Math.min(Math.max(10,a),innerHeight-r-10)}px`}function xe(e,t,n,r){let i=s(`div`,{class:`menu-list`,role:`menu`,hidden:!0}),a=s(`button`,{class:`icon-button`,type:`button`,"aria-label":t,"aria-haspopup":`menu`,"aria-expanded":`false`,help:n},e),o=e=>{i.hidden=!e,a.setAttribute(`aria-expanded`,String(e)),e&&l(0)},l=e=>{let t=r();c(i,t.map(e=>{let n=s(`button`,{class:`menu-entry`,type:`button`,role:e.checked===void 0?`menuitem`:`menuitemcheckbox`,help:e.help,disabled:!!e.disabled},e.checked===void 0?null:s(`span`,{class:`tick`},e.checked?`✓`:``),s(`span`,{class:`spread`},e.label),e.hint?s(`kbd`,null,e.hint):null);return e.checked!==void 0&&n.setAttribute(`aria-checked`,String(e.checked)),n.addEventListener(`click`,()=>{e.run(),e.checked===void 0?o(!1):l(t.indexOf(e))}),n})),i.children[e]?.focus({preventScroll:!0})};a.addEventListener(`click`,()=>o(!!i.hidden));let u=s(`div`,{class:`menu`},a,i);return i.addEventListener(`keydown`,e=>{let t=[...i.children],n=t.indexOf(document.activeElement);if(e.key===`ArrowDown`||e.key===`ArrowUp`)t[(n+(e.key===`ArrowDown`?1:-1)+t.length)%t.length]?.focus();else if(e.key===`Escape`)o(!1),a.focus();else return;e.preventDefault(),e.stopPropagation()}),addEventListener(`pointerdown`,e=>{u.contains(e.target)||o(!1)}),u}function L(e){return e.document}function R(e,t){return e.joint.find(({child:e})=>e===t)}function z(e){let t=[],n=(r,i)=>{t.push({name:r.child,depth:i,joint:r});for(let t of e.joint)t.parent===r.child&&n(t,i+1)};for(let t of e.joint)t.parent||n(t,0);return t}function Se(e,t,n){for(let r=t;r;r=R(e,r)?.parent)if(r===n)return!0;return!1}function B(e,t){return e.dofs.filter(e=>e.joint===t)}function Ce(e){let t=e.shape?.find(({kind:e})=>e===`box`);return t?t.size.slice(0,3):null}function V(e){return e.type===`euler`||e.type===`ball`||e.type===`exponential`}function H(e){if(!e)return[0,0,0];let[t,n,r]=e,i=Math.asin(Math.min(Math.max(t[2],-1),1));return Math.abs(t[2])>1-1e-9?[Math.atan2(r[1],n[1]),i,0]:[Math.atan2(-n[2],r[2]),i,Math.atan2(-t[1],t[0])]}function we([e,t,n]){let[r,i,a,o,s,c]=[Math.cos(e/2),Math.sin(e/2),Math.cos(t/2),Math.sin(t/2),Math.cos(n/2),Math.sin(n/2)];return[r*a*s-i*o*c,i*a*s+r*o*c,r*o*s-i*a*c,r*a*c+i*o*s]}function Te([e,t,n,r]){return[[1-2*(n*n+r*r),2*(t*n-e*r),2*(t*r+e*n)],[2*(t*n+e*r),1-2*(t*t+r*r),2*(n*r-e*t)],[2*(t*r-e*n),2*(n*r+e*t),1-2*(t*t+n*n)]]}function U(e){let t=e.store.get(`project`),n=e.store.get(`figures`),r=e.store.get(`selection`),i=t?.figures.some(({figure:e})=>e===r.figure)?r.figure:t?.figures[0]?.figure,a=i===void 0?void 0:n.get(i);if(!t||!a)return null;let o=L(a),s=r.figure===i&&r.link!==null&&r.link<o.link.length?r.link:0,c=o.link[s],l=c&&R(o,c.name);return c&&l?{project:t,figure:a,document:o,number:s,link:c,joint:l}:null}function Ee(e,t){let n=je(()=>t(U(e)));for(let t of[`project`,`figures`,`selection`])e.store.on(t,n);n()}function De(e){e.store.on(`project`,()=>{let t=e.store.get(`project`),n=e.store.get(`selection`);if(!t||t.figures.some(({figure:e})=>e===n.figure))return;let r=t.figures[t.figures.length-1];e.store.set(`selection`,{figure:r?.figure??0,link:null,dof:null})},!0)}function Oe(e,t){e.store.get(`selection`).figure!==t&&e.store.set(`selection`,{figure:t,link:null,dof:null})}function ke(e,t,n){let r=L(t),i=r.link.findIndex(({name:e})=>e===n);i>=0&&e.store.set(`selection`,{figure:t.figure,link:i,dof:R(r,n)?.name??null})}function Ae(e,t,n){let r=e.store.on(`figures`,i=>{let a=i.get(t);a&&L(a).link.some(({name:e})=>e===n)&&(r(),ke(e,a,n))});setTimeout(r,5e3);let i=e.store.get(`figures`).get(t);i&&ke(e,i,n)}function je(e){let t=!1;return()=>{t||(t=!0,setTimeout(()=>(t=!1,e())))}}var Me=180/Math.PI,Ne=180,Pe=33;function Fe(e,t=5){return Number.isFinite(e)?Math.abs(e)<1e-9?`0`:String(Number(e.toPrecision(Math.abs(e)>=1e3?6:t))):``}function W(e,t){let{label:n,help:r,unit:i=``,scale:a=1,min:o,max:c,empty:l,digits:u=5}=t,d=s(`input`,{type:`number`,step:t.step??`any`,"aria-label":n,help:r,placeholder:l??``,dataset:{at:t.at??n}}),f=s(`small`,{class:`field-error`,role:`alert`,hidden:!0}),p=null,m=0,h=null,g=()=>d.value===(p===null?``:Fe(p*a,u)),_=()=>{if(d.value.trim()===``)return d.validity.badInput?`This is not a number.`:l===void 0?`Enter a number.`:null;let e=Number(d.value)/a;return Number.isFinite(e)?o!==void 0&&e<o-1e-12?`Enter ${Fe(o*a)} or more.`:c!==void 0&&e>c+1e-12?`Enter ${Fe(c*a)} or less.`:e:`This is not a number.`},v=e=>{f.textContent=e,f.hidden=!e,d.setAttribute(`aria-invalid`,String(!!e))};d.addEventListener(`input`,()=>{let n=_();v(typeof n==`string`?n:``),clearTimeout(m),typeof n!=`string`&&t.check&&(m=window.setTimeout(()=>void Le(e,t.check(n),e=>(h=e?d.value:null,v(e))),Ne))});let y=e=>{p=e,d.value=e===null?``:Fe(e*a,u),v(``)},b=()=>{clearTimeout(m);let e=_();if(typeof e==`string`||d.value===h||e===p||e!==null&&p!==null&&Fe(e*a,u)===Fe(p*a,u))return y(p);t.commit(p=e)};return Ie(d,()=>!g()&&b()),d.addEventListener(`keydown`,e=>e.key===`Escape`&&!g()&&(e.stopPropagation(),y(p))),{element:He(t,s(`span`,{class:`number-box`},d,i?s(`span`,{class:`unit`},i):null),f),show:e=>{(document.activeElement!==d||g())&&y(e)}}}function Ie(e,t){e.addEventListener(`change`,t),e.addEventListener(`blur`,t),e.addEventListener(`keydown`,e=>e.key===`Enter`&&t())}async function Le(e,t,n){try{let{ok:r,message:i}=await e.connection.send(`check`,{command:t});n(r?``:i)}catch{}}function Re(e,t){let n=s(`input`,{type:`text`,"aria-label":t.label,help:t.help,placeholder:t.placeholder??``,spellcheck:!1,dataset:{at:t.at??t.label}}),r=s(`small`,{class:`field-error`,role:`alert`,hidden:!0}),i=``,a=0,o=e=>{r.textContent=e,r.hidden=!e,n.setAttribute(`aria-invalid`,String(!!e))},c=e=>(i=n.value=e,o(``));return n.addEventListener(`input`,()=>{clearTimeout(a),o(``),t.check&&n.value!==i&&(a=window.setTimeout(()=>void Le(e,t.check(n.value),o),Ne))}),Ie(n,()=>{clearTimeout(a),n.value!==i&&t.commit(i=n.value=n.value.trim())}),n.addEventListener(`keydown`,e=>e.key===`Escape`&&n.value!==i&&(e.stopPropagation(),c(i))),{element:He(t,n,r),show:e=>(document.activeElement!==n||n.value===i)&&c(e)}}function G(e){let t=s(`select`,{"aria-label":e.label,help:e.help,dataset:{at:e.at??e.label}},e.choices.map(e=>typeof e==`string`?s(`option`,{value:e},e):s(`option`,{value:e[0]},e[1])));return t.addEventListener(`change`,()=>e.commit(t.value)),{element:He(e,t),show:e=>void(t.value=e)}}function K(e){let t=s(`input`,{type:`checkbox`,"aria-label":e.label,dataset:{at:e.at??e.label}});return t.addEventListener(`change`,()=>e.commit(t.checked)),{element:s(`label`,{class:`tick-field ${e.class??``}`,help:e.help},t,e.face!==``&&s(`span`,null,e.face??e.label)),show:e=>void(t.checked=e)}}function ze(e,t,n){let r=t.map(([t,r,i])=>s(`button`,{type:`button`,help:i,dataset:{choice:t,at:`${e} ${t}`},onclick:()=>n(t)},r));return{element:s(`div`,{class:`segments`,role:`group`,"aria-label":e},r),show:e=>r.forEach((n,r)=>n.setAttribute(`aria-pressed`,String(t[r][0]===e)))}}function Be({label:e,help:t,at:n,scale:r=1,step:i,move:a}){let o=s(`input`,{type:`range`,"aria-label":e,help:t,dataset:{at:n??`${e} slider`}}),c=Ve(e=>a(e,!1)),l=!1;return o.addEventListener(`input`,()=>(l=!0,c.send(Number(o.value)/r))),o.addEventListener(`change`,()=>{l=!1,c.cancel(),a(Number(o.value)/r,!0)}),{element:o,show:e=>{l||(o.value=String(e*r))},bounds:(e,t)=>{let[n,a]=[e*r,t*r];o.min=String(n),o.max=String(a),o.step=String(i??10**Math.floor(Math.log10(Math.max(a-n,1e-6)/200)))}}}function Ve(e){let t=0,n=null,r=0,i=()=>{if(t=0,!n)return;let{value:i}=n;n=null,r=performance.now(),e(i)};return{send:e=>{n={value:e},t||=window.setTimeout(i,Math.max(0,Pe-(performance.now()-r)))},cancel:()=>{n=null,clearTimeout(t),t=0}}}function He(e,t,n){let r=e.face??e.label;return s(`label`,{class:`field ${r?``:`bare`} ${e.class??``}`},r?s(`span`,{class:`field-label`},r):null,t,n)}async function Ue(e,t,n){try{let r=await a(`/upload`,{method:`POST`,body:t,headers:{"X-Name":t.name.replace(/[^\w.-]+/g,`_`)}});if(!r.ok)throw Error(`'${t.name}' could not be uploaded: ${await r.text()}`);let{upload:i}=await r.json(),o=await e.connection.send(`open_upload`,{upload:i,name:t.name,add:n});return We(e,t.name,o),o}catch(t){g(e,t);return}}function We(e,t,{figures:n,motions:r,notes:i}){let a=n[0];a!==void 0&&e.store.set(`selection`,{figure:a,link:null,dof:null});let o=[n.length?`${n.length} figure${n.length>1?`s`:``}`:``,r.length?`${r.length} motion${r.length>1?`s`:``}`:``].filter(Boolean).join(` and `);e.notify({tone:`good`,text:`Opened ${t}${o?`: ${o}`:``}.${i.length?` ${i.slice(0,3).join(` `)}`:``}`})}function Ge({address:e,name:t}){s(`a`,{href:e,download:t}).click()}function Ke(e){return e<1e3?`${e} B`:e<1e6?`${(e/1e3).toFixed(0)} kB`:`${(e/1e6).toFixed(1)} MB`}var qe={motion:`The motion`,figure:`The figure`,project:`The project`};function Je(e){let t=e.store.get(`project`),n=e.store.get(`welcome`),r=U(e);if(!t||!n)return;let i=t.shown??t.motions[t.motions.length-1]?.motion??null,a={},o=s(`p`,{class:`quiet-text export-status`,role:`status`},``),l=G({label:`Motion`,help:`The motion to export.`,choices:t.motions.map(e=>[String(e.motion),`${e.title} · ${e.duration.toFixed(2)} s`]),commit:e=>i=Number(e)});i!==null&&l.show(String(i));let u=async(t,n)=>{n.disabled=!0,o.textContent=`Writing ${t.name} …`;let s=await e.run(`export`,{format:t.name,motion:t.group===`motion`?i:null,figure:t.group===`figure`?r?.figure.figure??null:null,options:a[t.name]??{}});n.disabled=!1,o.textContent=s?`Downloaded ${s.name} (${Ke(s.size)}).`:``,s&&Ge(s)},d=e=>{let t=e.group===`motion`?i!==null:e.group!==`figure`||!!r,n=s(`button`,{type:`button`,class:`export-card`,disabled:!t,dataset:{format:e.name},help:t?`Downloads a ${e.name} file: ${e.words}.`:`There is no ${e.group} to export. Compute or open one first.`,onclick:()=>void u(e,n)},s(`b`,null,e.name),s(`span`,{class:`quiet-text`},e.words));return n},f=[...new Set(n.exports.map(({group:e})=>e))],p=s(`div`,{class:`export-dialog`});c(p,t.motions.length>1&&l.element,f.map(e=>s(`section`,null,s(`h4`,null,qe[e]??e),s(`div`,{class:`export-cards`},n.exports.filter(t=>t.group===e).map(d)))),Ye(e,a),o),j(`Export`,p)}function Ye(e,t){let n=(e,n,r)=>e.forEach(e=>t[e]={...t[e],[n]:r}),r=K({label:`Camera follows the figure`,help:`In an exported page, the camera follows the figure. Otherwise it shows the whole motion.`,commit:e=>n([`.html`],`follow`,e)});r.show(!0),n([`.html`],`follow`,!0);let i=W(e,{label:`Frame rate`,face:`Frames/s`,help:`Frames per second of a page or a video.`,min:1,max:1e3,empty:`default`,commit:e=>e!==null&&n([`.html`,`.mp4`],`rate`,e)});return i.show(null),e.store.get(`project`)?.shown!==null&&n([`.png`],`time`,e.store.get(`time`)),s(`section`,{class:`row wrap`},r.element,i.element)}function Xe(e,t,n){let r=null,i=null;return a=>{let o=t(a);if(i&&o===r)return i.show(a);r=o;let s=document.activeElement,l=s&&e.contains(s)?s.dataset.at:void 0;i=n(a),c(e,i.element),i.show(a),l&&[...e.querySelectorAll(`[data-at]`)].find(e=>e.dataset.at===l)?.focus({preventScroll:!0})}}function Ze(e,{label:t,help:n,unit:r,scale:i,step:a,min:o,names:c=[`x`,`y`,`z`],commit:l,check:u}){let d=[0,0,0],f=(e,t)=>d.map((n,r)=>r===e?t??0:n),p=c.map((r,s)=>W(e,{label:`${t} ${r}`,face:r,help:n,scale:i,step:a,min:o,class:`part`,digits:4,commit:e=>l(d=f(s,e)),...u?{check:e=>u(f(s,e))}:{}}));return{element:s(`div`,{class:`vector`,role:`group`,"aria-label":t},s(`span`,{class:`field-label`},t,s(`span`,{class:`unit`},r)),s(`div`,{class:`vector-parts`},p.map(({element:e})=>e))),show:e=>{d=e,p.forEach((t,n)=>t.show(e[n]))}}}function Qe(e,t,n,...r){let i=`anthropi.open.${e}`,a=pe(i),o=s(`details`,{class:`part`,open:a===null?n:a===`yes`},s(`summary`,{help:t},d(`M9 6l6 6l-6 6`,!1,13),s(`h3`,null,e)),s(`div`,{class:`part-content`},r));return o.addEventListener(`toggle`,()=>me(i,o.open?`yes`:`no`)),o}function q(e,t,n,r=``,i){return s(`button`,{type:`button`,class:r,help:t,onclick:n,...i?{"aria-label":i}:{}},e)}var $e=[`standard`,`simple27`,`simple36`,`thesis42`,`thesis51`,`full`],et=`M3.5 6.500h6l2 2.500h9v10h-17z`,tt=`M6 3.500h8l4 4v13H6zM14 3.500v4h4`;function nt(e){let t=!1,n=K({label:`Add to the project`,help:`Keeps the open figures and adds the new one beside them.`,commit:e=>t=e});n.show(t);let r=j(`Open`,s(`div`,{class:`open-dialog`},s(`section`,{"aria-label":`Workspace`},s(`h4`,null,`Workspace`),rt(e,()=>t,()=>r.close())),s(`section`,{"aria-label":`Other sources`},s(`h4`,null,`This computer`),at(e,()=>t,()=>r.close()),s(`h4`,null,`Human`),ot(e,()=>t,()=>r.close()),s(`h4`,null,`Samples`),st(e,()=>t,()=>r.close()),n.element)))}function rt(e,t,n){let r=s(`div`,{class:`crumbs`}),i=s(`div`,{class:`file-list`,role:`listbox`,"aria-label":`Files`}),a=async o=>{let l=await e.run(`list_files`,{folder:o});if(!l)return;let u=o.split(`/`).filter(Boolean);c(r,q(`workspace`,`Shows the workspace, the folder that the studio reads and writes.`,()=>void a(``),`quiet small`),u.map((e,t)=>[`/`,q(e,`Shows the folder ${e}.`,()=>void a(u.slice(0,t+1).join(`/`)),`quiet small`)])),c(i,l.entries.map(r=>it(r,()=>{let i=[...u,r.name].join(`/`);if(r.folder)return void a(i);n(),e.run(`open_file`,{path:i,add:t()}).then(t=>t&&We(e,r.name,t))})),!l.entries.length&&s(`p`,{class:`quiet-text`},`This folder contains no file that the studio can open.`))};return a(``),s(`div`,null,r,i)}function it({name:e,folder:t,size:n},r){return s(`button`,{class:`file-row`,type:`button`,role:`option`,onclick:r,help:t?`Opens this folder.`:`Opens this file.`,dataset:{file:e}},d(t?et:tt,!1,16),s(`span`,{class:`spread`},e),s(`small`,{class:`quiet-text`},t?``:Ke(n)))}function at(e,t,n){let r=e.store.get(`welcome`)?.opens??[],i=s(`input`,{type:`file`,accept:r.join(`,`),class:`hidden-file`,"aria-label":`A file on this computer`});return i.addEventListener(`change`,()=>{let r=i.files?.[0];r&&(n(),Ue(e,r,t()))}),s(`div`,null,s(`div`,{class:`row`},q(`Choose a file …`,`Opens a figure, motion, script or project from this computer. You can also drop it on the page.`,()=>i.click()),i),s(`p`,{class:`quiet-text small-text`},r.join(`  `)))}function ot(e,t,n){let r={height:1.75,mass:75,sex:`m`,detail:`standard`},i=W(e,{label:`Height`,help:`Height of the body. Lengths, masses and inertias follow from anthropometric tables.`,unit:`m`,min:.5,max:2.6,step:.01,commit:e=>r.height=e}),a=W(e,{label:`Body mass`,face:`Mass`,help:`Mass of the whole body.`,unit:`kg`,min:5,max:300,step:1,commit:e=>r.mass=e}),o=G({label:`Sex`,help:`Sex, which determines the proportions of the body.`,choices:[[`m`,`male`],[`f`,`female`]],commit:e=>r.sex=e}),c=G({label:`Detail`,help:`Number of links and joints. The walking controller needs 'standard'.`,choices:$e,commit:e=>r.detail=e});return i.show(1.75),a.show(75),o.show(`m`),c.show(`standard`),s(`div`,{class:`two-columns`},i.element,a.element,o.element,c.element,q(`Open this human`,`Creates a human with these numbers.`,()=>{n(),e.run(`open_sample`,{name:`human`,options:r,add:t()}).then(t=>t&&We(e,`a human`,t))},`primary`))}function st(e,t,n){return s(`div`,{class:`chips`},(e.store.get(`welcome`)?.samples??[]).filter(({name:e})=>e!==`human`).map(({name:r,words:i})=>s(`button`,{type:`button`,class:`chip`,help:i,dataset:{sample:r},onclick:()=>{n(),e.run(`open_sample`,{name:r,add:t()}).then(t=>t&&We(e,r.replaceAll(`_`,` `),t))}},r.replaceAll(`_`,` `))))}var ct=`.anthropi`;async function lt(e){let t=e.store.get(`project`);if(!t)return;if(!t.path)return ut(e);let n=await e.run(`save_project`,{});if(!n)return ut(e);e.notify({tone:`good`,text:`Saved ${n.path}.`})}function ut(e){let t=e.store.get(`project`);t&&ft(`Save the project`,t.path||`${pt(t.name)||`project`}${ct}`,`The file contains the whole project: figures, motions, keys, curves, forces, world and camera.`,async(t,n)=>{let r=await e.connection.send(`save_project`,{path:t,replace:n});e.notify({tone:`good`,text:`Saved ${r.path}.`})},[q(`Download`,`Downloads the project instead of saving it in the workspace.`,()=>void e.run(`export`,{format:ct}).then(e=>e&&Ge(e)))])}function dt(e,t,n){ft(`Save the figure`,`${pt(n)||`figure`}.toml`,`The extension of the name chooses the format: .toml is complete; .urdf and .xml (MJCF) are for other programs.`,async(n,r)=>{let i=await e.connection.send(`save_figure`,{figure:t,path:n,replace:r});e.notify({tone:`good`,text:`Saved ${i.path}.`})},[`.toml`,`.urdf`,`.xml`].map(n=>q(`Download ${n}`,`Downloads the figure as ${n}.`,()=>void e.run(`export`,{format:n,figure:t}).then(e=>e&&Ge(e)),`small`)))}function ft(t,n,r,i,a){let o=s(`input`,{type:`text`,value:n,"aria-label":`Name in the workspace`,spellcheck:!1,help:`Path of the file, relative to the workspace.`}),c=s(`p`,{class:`field-error`,role:`alert`,hidden:!0}),l=s(`button`,{type:`button`,class:`danger`,hidden:!0,help:`Replaces the existing file.`,onclick:()=>void u(!0)},`Replace`),u=async t=>{try{await i(o.value.trim(),t),d.close()}catch(t){c.textContent=t.message,c.hidden=!1,l.hidden=!(t instanceof e&&/already/.test(t.message))}},d=j(t,s(`form`,{class:`save-dialog`,onsubmit:e=>(e.preventDefault(),void u(!1))},s(`label`,{class:`field`},s(`span`,{class:`field-label`},`Name`),o),c,s(`p`,{class:`quiet-text`},r),s(`div`,{class:`row`},a,s(`div`,{class:`spread`}),l,s(`button`,{class:`primary`,type:`submit`,help:`Saves the file.`},`Save`))));o.focus(),o.setSelectionRange(0,Math.max(0,n.lastIndexOf(`.`)))}function pt(e){return e.trim().toLowerCase().replace(/[^a-z0-9._-]+/g,`_`).replace(/^[._]+|_+$/g,``)}var mt=`M8 5L4 9l4 4M4 9h10a5.500 5.500 0 0 1 0 11h-3`,ht=`M16 5l4 4l-4 4M20 9H10a5.500 5.500 0 0 0 0 11h3`,gt=`M7 10l5 5l5-5`;function _t(e,t,n){let{store:r}=t,i=f(mt,`Undo`,`Undoes the last edit (Ctrl Z).`,()=>void t.run(`undo`,{})),a=f(ht,`Redo`,`Redoes the last undone edit (Ctrl Shift Z).`,()=>void t.run(`redo`,{})),o=s(`button`,{type:`button`,class:`quiet project-name`,help:`Name of the project, and whether it is saved. Click to save it.`,onclick:()=>void lt(t)}),l=xe([s(`span`,null,`File`),d(gt,!1,13)],`File`,`Menu: new, open, save, export.`,()=>[{label:`New project`,run:()=>void t.run(`new_project`,{}),help:`Opens an empty project.`},{label:`Walking human`,run:()=>void t.run(`new_project`,{walking:!0}),help:`Opens a project with a walking human.`},{label:`Open …`,hint:`Ctrl O`,run:()=>nt(t)},{label:`Examples …`,run:()=>M(t)},{label:`Save`,hint:`Ctrl S`,run:()=>void lt(t)},{label:`Save as …`,hint:`Ctrl Shift S`,run:()=>ut(t)},{label:`Export …`,hint:`Ctrl E`,run:()=>Je(t)}]);l.querySelector(`button`).className=`quiet`;let u=q(`Studies`,`Opens the studies of the workspace: sweeps, samples and searches, with their progress and plots (Shift S).`,n.studies,`quiet`);u.dataset.studies=``,c(e,l,q(`Open`,`Opens a figure, motion, script or project from the workspace or this computer, or a sample (Ctrl O).`,()=>nt(t),`quiet`),q(`Export`,`Exports the motion, the figure or the project: web page, GLB, BVH, tables, pictures, video … (Ctrl E).`,()=>Je(t),`quiet`),i,a,q(`Gait`,`Opens the gait panel with three levels: words, numbers, torque profiles (Shift G).`,n.gait,`quiet`),q(`Curves`,`Opens the curve editor for keys and control functions of degrees of freedom (Shift K).`,n.curves,`quiet`),u,s(`div`,{class:`spread`}),o),r.on(`project`,e=>{i.disabled=!e?.undo,a.disabled=!e?.redo,i.dataset.help=e?.undo?`Undo: ${e.undo} (Ctrl Z).`:`There is nothing to undo.`,a.dataset.help=e?.redo?`Redo: ${e.redo} (Ctrl Shift Z).`:`There is nothing to redo.`,c(o,s(`span`,{class:`saved-dot ${e?.saved?`yes`:``}`}),e?.name||`no project`,s(`small`,{class:`quiet-text`},e?.saved?`saved`:`not saved`))},!0),t.shortcut(`ctrl+z`,`Undo`,()=>void t.run(`undo`,{})),t.shortcut(`ctrl+shift+z`,`Redo`,()=>void t.run(`redo`,{})),t.shortcut(`ctrl+y`,`Redo`,()=>void t.run(`redo`,{})),t.shortcut(`ctrl+s`,`Save the project`,()=>void lt(t)),t.shortcut(`ctrl+shift+s`,`Save the project under another name`,()=>ut(t)),t.shortcut(`ctrl+o`,`Open`,()=>nt(t)),t.shortcut(`ctrl+e`,`Export`,()=>Je(t)),vt(t),yt(t)}function vt(e){addEventListener(`dragover`,e=>e.dataTransfer?.types.includes(`Files`)&&e.preventDefault()),addEventListener(`drop`,t=>{let n=t.dataTransfer?.files[0];n&&(t.preventDefault(),Ue(e,n,t.shiftKey))})}function yt(e){let t=!1;e.store.on(`welcome`,n=>{n?.recovered&&!t&&(t=!0,e.notify({tone:`info`,text:`An earlier session ended without saving. ${n.recovered}`,action:{label:`Recover`,run:()=>void e.run(`recover`,{take:!0})}}))},!0)}var bt=[[`x`,`about x`],[`y`,`about y`],[`z`,`about z`]],xt=[`revolute`,`prismatic`,`helical`,`cylindrical`];function St(e){let t=`revolute`,n=`y`,r=[.3,.06,.06],i=1e3,a=s(`input`,{type:`text`,"aria-label":`Name of the new link`,placeholder:`name`,spellcheck:!1,dataset:{at:`Name of the new link`},help:`Name of the new link and of its joint.`}),o=G({label:`Joint of the new link`,face:`Joint`,help:`Type of the joint between the new link and its parent.`,choices:(e.store.get(`welcome`)?.joints??[]).map(e=>e.type).filter(e=>![`composite`,`free`,`universal`].includes(e)),commit:e=>{t=e,c.element.hidden=!xt.includes(t)}}),c=G({label:`Axis of the new joint`,face:`Axis`,help:`The axis of rotation or translation.`,choices:bt,commit:e=>n=e}),l=Ze(e,{label:`Size`,help:`Length (x), height (y) and width (z) of a box that starts at the joint.`,unit:`m`,step:.01,min:.001,names:[`length`,`height`,`width`],commit:e=>r=e}),u=W(e,{label:`Density of the new link`,face:`Density`,help:`Density of the material, for example 1000 for water or a human body, 600 for wood, 7800 for steel.`,unit:`kg/m³`,min:0,step:50,commit:e=>i=e??i});o.show(t),c.show(n),l.show(r),u.show(i);let d=()=>{let o=U(e);if(!o)return;let s=a.value.trim()||Ct(o);e.run(`add_link`,{figure:o.figure.figure,name:s,parent:o.link.name,type:t,...xt.includes(t)?{axis:n}:{},size:r,density:i}).then(t=>{t!==void 0&&(a.value=``,Ae(e,o.figure.figure,s))})};a.addEventListener(`keydown`,e=>e.key===`Enter`&&d());let f=s(`span`);return{element:s(`div`,{class:`add-link`},s(`h4`,null,`Add a link`),s(`div`,{class:`row`},a,q(f,`Adds a link at the far end of the chosen link.`,d,`primary`,`Add the link`)),s(`div`,{class:`two`},o.element,c.element),l.element,u.element),show:e=>{f.textContent=`Add to ${e.link.name}`,a.placeholder=Ct(e)}}}function Ct({document:e}){let t=e.link.length+1;for(;e.link.some(({name:e})=>e===`link${t}`)||e.joint.some(({name:e})=>e===`link${t}`);)t++;return`link${t}`}var wt=`M6.500 11h11v9h-11zM8.500 11V8a3.500 3.500 0 0 1 7 0v3`,Tt=`M6.500 11h11v9h-11zM8.500 11V8a3.500 3.500 0 0 1 6.800-1.200`,Et=`anthropi.open.dof`,Dt={rad:Math.PI,m:2};function Ot({name:e,joint:t}){return e.startsWith(`${t}.`)?e.slice(t.length+1):e}function kt(e,t,n,r,i){let{name:a,unit:o}=n,l=o===`rad`?Me:1,u=o===`rad`?`°`:`m`,f=(n,r)=>r?void e.run(`set_dof`,{figure:t,dof:a,value:n,done:r}):e.connection.post(`set_dof`,{figure:t,dof:a,value:n,done:r}),p=Be({label:a,at:`${a} slider`,help:`Sets the initial value of ${a} within its limits.`,scale:l,...o===`rad`?{step:.5}:{step:.005},move:f}),m=W(e,{label:`${a} value`,face:``,at:`${a} value`,help:`Initial value of ${a}. It may exceed the limits.`,unit:u,scale:l,step:o===`rad`?1:.01,commit:e=>e!==null&&f(e,!0)}),h=s(`button`,{type:`button`,class:`icon-button lock`,"aria-label":`Lock ${a}`,dataset:{at:`${a} lock`},onclick:()=>void e.run(`lock_joint`,{figure:t,name:a,locked:h.getAttribute(`aria-pressed`)!==`true`})}),g=s(`span`,{class:`dof-name`},r?Ot(n):a),_=r&&!n.locked?At(e,t,n,i):null;return{element:s(`div`,{class:`dof${n.locked?` locked`:``}`,dataset:{dof:a}},s(`div`,{class:`dof-line`},g,p.element,m.element,h),_?.element),show:e=>{let t=e.lower??-Dt[o],n=e.upper??Dt[o];p.bounds(Math.min(t,e.value),Math.max(n,e.value)),p.show(e.value),m.show(e.value);for(let t of[p.element,m.element.querySelector(`input`)])t.disabled=e.locked;h.setAttribute(`aria-pressed`,String(e.locked)),c(h,d(e.locked?wt:Tt,!1,15)),h.disabled=!e.lockable,h.dataset.help=e.locked?`Unlocks ${a}.`:e.lockable?`Locks ${a} at its present value.`:`One rotation of a ball joint cannot be locked alone. Lock the whole joint, or choose a rotation order to make it an Euler joint.`,_?.show(e)}}}function At(e,t,n,r){let{name:i,unit:a}=n,o=a===`rad`,c=o?Me:1,l=n,u=W(e,{label:`${i} rate`,face:`rate`,help:`Initial rate.`,unit:o?`°/s`:`m/s`,scale:c,step:o?10:.1,commit:n=>void e.run(`set_dof`,{figure:t,dof:i,rate:n??0})}),d=n=>W(e,{label:`${i} ${n} limit`,face:n===`lower`?`from`:`to`,help:`The ${n} limit. Leave it empty for no limit.`,unit:o?`°`:`m`,scale:c,step:o?1:.01,empty:`none`,check:e=>({kind:`set_limits`,figure:t,dof:i,lower:l.lower,upper:l.upper,[n]:e}),commit:r=>void e.run(`set_limits`,{figure:t,dof:i,lower:l.lower,upper:l.upper,[n]:r})}),f=d(`lower`),p=d(`upper`),m=(n,r,a,s,c=1)=>W(e,{label:`${i} ${n}`,face:r,help:a,unit:s[+!o],scale:c,...n===`rest`?{}:{min:0},step:n===`rest`?1:.5,check:e=>({kind:`set_spring`,figure:t,dof:i,[n]:e}),commit:r=>void e.run(`set_spring`,{figure:t,dof:i,[n]:r})}),h=m(`stiffness`,`spring`,`Stiffness of the spring.`,[`N m/rad`,`N/m`]),g=m(`rest`,`rest`,`Rest position of the spring.`,[`°`,`m`],c),_=m(`damping`,`damper`,`Damping coefficient: the force is proportional to the rate.`,[`N m s`,`N s/m`]),v=ze(`Drive of ${i}`,[[`free`,`Free`,`Only springs, gravity and other links move it.`],[`force`,`Force`,`Driven by a force: a constant or a control function of time.`],[`motion`,`Motion`,`Driven by a prescribed motion; by default it keeps its present value.`]],n=>void e.run(`set_drive`,{figure:t,dof:i,drive:n})),y=W(e,{label:`${i} driving force`,face:``,help:`The constant force or torque that drives it.`,unit:o?`N m`:`N`,step:1,commit:n=>void e.run(`set_drive`,{figure:t,dof:i,drive:`force`,value:n??0})}),b=q(`Curve`,`Edits the control function of ${i} as a curve.`,()=>r(i,`control`),`small`,`Curve of ${i}`),x=q(`Keys`,`Edits the keys of ${i} as a curve.`,()=>r(i,`keys`),`small`,`Keys of ${i}`),S=[[u,`rate`],[f,`lower`],[p,`upper`],[h,`stiffness`],[g,`rest`],[_,`damping`]],C=s(`details`,{class:`dof-more`,open:pe(Et)!==`no`},s(`summary`,{help:`Limits, spring, damper, rate and drive of ${i}.`},`limits, spring, drive`),s(`div`,{class:`dof-grid`},f.element,p.element,u.element,h.element,g.element,_.element),s(`div`,{class:`row wrap`},v.element,b,x),y.element);return C.addEventListener(`toggle`,()=>me(Et,C.open?`yes`:`no`)),{element:C,show:n=>{l=n;for(let[e,t]of S)e.show(n[t]);v.show(n.drive),y.element.hidden=n.drive!==`force`;let r=e.store.get(`project`)?.controls[String(t)]?.[i];y.show(r&&r.of===`force`&&r.formula!==``&&Number.isFinite(Number(r.formula))?Number(r.formula):null)}}}function jt(e,t,n){return K({label:`Lock joint ${n}`,face:`Locked`,help:`Locks the whole joint at its present position.`,commit:r=>void e.run(`lock_joint`,{figure:t,name:n,locked:r})})}var Mt={x:[1,0,0],y:[0,1,0],z:[0,0,1],"-x":[-1,0,0],"-y":[0,-1,0],"-z":[0,0,-1]};function Nt(e,t){return Xe(t,e=>JSON.stringify([e.figure.figure,e.joint.name,e.joint.type,!!e.joint.parent,e.joint.stop?.type,B(e.figure,e.joint.name).map(({name:e,locked:t})=>[e,t])]),t=>Pt(e,t))}function Pt(e,t){let{figure:{figure:n},joint:{name:r}}=t,i=Re(e,{label:`Name of the joint`,face:`Name`,help:`Name of the joint.`,check:e=>({kind:`rename_joint`,figure:n,joint:r,name:e}),commit:t=>void e.run(`rename_joint`,{figure:n,joint:r,name:t})}),a=It(e,t),o=Ze(e,{label:`Position`,help:t.joint.parent?`Origin of the joint in its parent's frame.`:`Origin of the joint in the world.`,unit:`m`,step:.01,check:e=>({kind:`set_joint_place`,figure:n,joint:r,origin:e}),commit:t=>void e.run(`set_joint_place`,{figure:n,joint:r,origin:t})}),s=Ze(e,{label:`Rotation`,help:`Rotation of the joint's frame in its parent's frame, as x-y-z Euler angles.`,unit:`°`,scale:Me,step:5,check:e=>({kind:`set_joint_place`,figure:n,joint:r,angles:e}),commit:t=>void e.run(`set_joint_place`,{figure:n,joint:r,angles:t})}),c=Lt(e,t),l=zt(e,t),u=B(t.figure,r).length?jt(e,n,r):null;return{element:Qe(`Joint`,`The joint between the chosen link and its parent.`,!0,i.element,a.element,o.element,s.element,u?.element,c.element,l.element),show:e=>{i.show(e.joint.name),a.show(e),o.show(e.joint.origin??[0,0,0]),s.show(H(e.joint.rotation));let t=B(e.figure,e.joint.name);u?.show(t.length>0&&t.every(({locked:e})=>e)),c.show(e),l.show(e)}}}function Ft(e){return Object.entries(Mt).find(([,t])=>e?.every((e,n)=>Math.abs(e-t[n])<1e-9))?.[0]??`other`}function It(e,t){let{figure:{figure:n},joint:r}=t,i=e.store.get(`welcome`)?.joints??[],a=i.find(({type:e})=>e===r.type)?.keys??[],o=t=>{let i=U(e)?.joint??r;e.run(`set_joint_type`,{figure:n,joint:r.name,type:i.type,axis:i.axis??null,order:i.order??null,pitch:i.pitch??null,...t})},c=G({label:`Joint type`,face:`Type`,help:`Type of the joint, with the number of degrees of freedom. A change of type removes limits and springs.`,choices:i.filter(e=>e.type!==`composite`||r.type===`composite`).map(e=>[e.type,e.dofs?`${e.type} (${e.dofs})`:e.type]),commit:e=>o(e===`universal`?{type:e,axes:[`x`,`y`],axis:null,order:null}:{type:e,...e===`euler`?{order:r.order??`xyz`}:{}})}),l=V(r)?G({label:`Rotation order of the joint`,face:`Rotation order`,help:`The order of the three rotations; the pose is kept. A ball joint becomes an Euler joint.`,choices:[...r.type===`euler`?[]:[[``,`none (ball joint)`]],...(e.store.get(`welcome`)?.orders??[]).map(e=>[e,e.toUpperCase().split(``).join(`-`)])],commit:t=>t&&void e.run(`set_rotation_order`,{figure:n,joint:r.name,order:t})}):null,u=a.includes(`axis`)?G({label:`Axis of the joint`,face:`Axis`,help:`The axis of rotation or translation, in the joint's frame.`,choices:[...Object.keys(Mt),...Ft(r.axis)===`other`?[`other`]:[]],commit:e=>Mt[e]&&o({axis:Mt[e]})}):null,d=a.includes(`axis`)?Ze(e,{label:`Axis`,help:`Components of the axis; its length does not matter.`,unit:``,step:.1,commit:e=>o({axis:e})}):null,f=a.includes(`pitch`)?W(e,{label:`Pitch`,help:`Translation per turn.`,unit:`m/turn`,scale:2*Math.PI,step:.01,commit:e=>o({pitch:e})}):null;return{element:s(`div`,null,s(`div`,{class:`two`},c.element,l?.element??u?.element),d&&s(`details`,{class:`more`},s(`summary`,{help:`Components of the axis.`},`Components of the axis`),d.element),f?.element),show:({joint:e})=>{c.show(e.type),l?.show(e.order??``),u?.show(Ft(e.axis)),d?.show(e.axis??[0,0,0]),f?.show(e.pitch??null)}}}function Lt(e,t){let{figure:{figure:n},joint:r}=t,i=B(t.figure,r.name),a=i.map(t=>Rt(e,n,t));return{element:i.length?s(`div`,{class:`dof-table-place`},s(`h4`,null,`Degrees of freedom and initial state`),s(`table`,{class:`dof-table`},s(`thead`,null,s(`tr`,null,[``,`start`,`rate`,`from`,`to`,`spring`,`rest`,`damper`,`motor`,`lock`].map(e=>s(`th`,null,e)))),s(`tbody`,null,a.map(({element:e})=>e))),s(`p`,{class:`quiet-text small-text`},i.some(({unit:e})=>e===`rad`)?`Angles in °, rates in °/s, springs in N m/rad, dampers in N m s/rad.`:`Lengths in m, springs in N/m, dampers in N s/m.`)):s(`div`),show:e=>{let t=B(e.figure,r.name);a.forEach((e,n)=>t[n]&&e.show(t[n]))}}}function Rt(e,t,n){let{name:r,unit:i}=n,a=i===`rad`?Me:1,o=n,c=(t,n,i,a,o)=>[W(e,{label:`${r} ${n}`,at:`table ${r} ${t}`,face:``,help:`${n} of ${r}.`,scale:i,commit:o,...a}),t],l=(n,i,a=1)=>c(n,i,a,{...n===`rest`?{}:{min:0},check:e=>({kind:`set_spring`,figure:t,dof:r,[n]:e})},i=>void e.run(`set_spring`,{figure:t,dof:r,[n]:i})),u=(n,i)=>c(n,i,a,{empty:`–`,check:e=>({kind:`set_limits`,figure:t,dof:r,lower:o.lower,upper:o.upper,[n]:e})},i=>void e.run(`set_limits`,{figure:t,dof:r,lower:o.lower,upper:o.upper,[n]:i})),d=[c(`value`,`start`,a,{},n=>void e.run(`set_dof`,{figure:t,dof:r,value:n})),c(`rate`,`start rate`,a,{},n=>void e.run(`set_dof`,{figure:t,dof:r,rate:n})),u(`lower`,`lower limit`),u(`upper`,`upper limit`),l(`stiffness`,`spring`),l(`rest`,`rest`,a),l(`damping`,`damper`),l(`armature`,`motor inertia`)],f=K({label:`${r} locked`,face:``,help:n.lockable?`Locks ${r} at its present value.`:`One rotation of a ball joint cannot be locked alone. Choose a rotation order first, or lock the whole joint.`,commit:n=>void e.run(`lock_joint`,{figure:t,name:r,locked:n})});return f.element.querySelector(`input`).disabled=!n.lockable,{element:s(`tr`,{dataset:{row:r}},s(`th`,{help:r},Ot(n)),d.map(([e])=>s(`td`,null,e.element)),s(`td`,null,f.element)),show:e=>{o=e;for(let[t,n]of d)t.show(e[n]),t.element.querySelector(`input`).disabled=e.locked;f.show(e.locked)}}}function zt(e,t){let{figure:{figure:n},joint:r}=t,i=r.stop?.type??``;if(!B(t.figure,r.name).length)return{element:s(`div`),show:()=>void 0};let a=()=>U(e)?.joint.stop??{type:`power`,k:100},o=t=>void e.run(`set_stop`,{figure:n,joint:r.name,...a(),...t}),c=G({label:`Stop`,help:`Type of the spring at the limits. It starts to act in a zone before each limit.`,choices:[[``,`none`],`linear`,`exponential`,`power`],commit:t=>t?o({type:t}):void e.run(`set_stop`,{figure:n,joint:r.name,type:null})}),l=(t,i,s,c=1)=>({key:t,field:W(e,{label:i,help:s,scale:c,step:1,min:0,empty:`default`,check:e=>({kind:`set_stop`,figure:n,joint:r.name,...a(),[t]:e}),commit:e=>o({[t]:e??void 0})})}),u=i?[l(`k`,`Stop stiffness`,`Stiffness k of the spring.`),...i===`exponential`?[l(`c`,`Stop growth`,`Exponent c of the exponential spring.`)]:[],...i===`power`?[l(`n`,`Stop power`,`Exponent n of the force k dⁿ. With 2 or more, the force starts smoothly.`)]:[],l(`zone`,`Stop zone`,`Distance [°] before the limit at which the spring starts to act.`,Me)]:[],d=G({label:`Stop gate`,help:`When the spring acts. direction: only during motion towards the limit; smooth: the same with a smooth transition; none: always.`,choices:[`direction`,`smooth`,`none`],commit:e=>o({gate:e})});return{element:s(`details`,{class:`more`,open:!!i},s(`summary`,{help:`Settings of the spring at the joint limits.`},`Stop at the limits`),c.element,u.map(e=>e.field.element),i?d.element:null),show:({joint:e})=>{c.show(e.stop?.type??``);for(let{key:t,field:n}of u)n.show(e.stop?.[t]??null);d.show(e.stop?.gate??`direction`)}}}function Bt(e,t){return Xe(t,e=>JSON.stringify([e.figure.figure,e.link.name,e.document.link.map(({name:e})=>e),e.document.marker.map(({name:e,link:t})=>[e,t]),!!Ce(e.link)]),t=>Vt(e,t))}function Vt(e,t){let{figure:{figure:n},link:{name:r}}=t,i=!t.joint.parent,a=()=>U(e)??t,o=Re(e,{label:`Name of the link`,face:`Name`,help:`Name of the link (F2 in the tree).`,check:e=>({kind:`rename_link`,figure:n,link:r,name:e}),commit:t=>void e.run(`rename_link`,{figure:n,link:r,name:t}).then(r=>r!==void 0&&Ae(e,n,t))}),c=G({label:`Parent`,help:`The parent link; the link keeps its pose in the world.`,choices:i?[[``,`the world`]]:t.document.link.map(e=>e.name).filter(e=>!Se(t.document,e,r)),commit:t=>t&&void e.run(`reparent_link`,{figure:n,link:r,parent:t,keep_place:!0})}),l=Ht(e,t,a),u=Ze(e,{label:`Centre of mass`,help:`Centre of mass in the link's frame, whose origin is at its joint.`,unit:`m`,step:.01,check:e=>({kind:`set_link_inertia`,figure:n,link:r,centre:e}),commit:t=>void e.run(`set_link_inertia`,{figure:n,link:r,centre:t})}),d=(e,t)=>[[e[0],t[0],t[1]],[t[0],e[1],t[2]],[t[1],t[2],e[2]]],f=()=>{let e=a().link.tensor??[[0,0,0],[0,0,0],[0,0,0]];return[[e[0][0],e[1][1],e[2][2]],[e[0][1],e[0][2],e[1][2]]]},p=e=>({figure:n,link:r,tensor:e}),m=Ze(e,{label:`Tensor`,help:`Moments of inertia about the centre of mass, in the link's axes.`,unit:`kg m²`,step:.001,names:[`xx`,`yy`,`zz`],check:e=>({kind:`set_link_inertia`,...p(d(e,f()[1]))}),commit:t=>void e.run(`set_link_inertia`,p(d(t,f()[1])))}),h=Ze(e,{label:`Products`,help:`Off-diagonal elements of the inertia tensor, for example xy = −∫ x y dm.`,unit:`kg m²`,step:.001,names:[`xy`,`xz`,`yz`],check:e=>({kind:`set_link_inertia`,...p(d(f()[0],e))}),commit:t=>void e.run(`set_link_inertia`,p(d(f()[0],t)))}),g=s(`div`,{class:`row wrap`},q(`Make root`,`Makes this link the root. The dynamics stay the same.`,()=>void e.run(`change_root`,{figure:n,link:r}),`small`),q(`Remove`,`Removes this link; its children are connected to its parent (Delete).`,()=>void e.run(`remove_link`,{figure:n,link:r}),`small danger`),q(`Remove branch`,`Removes this link and all its descendants.`,()=>void e.run(`remove_link`,{figure:n,link:r,branch:!0}),`small danger`)),_=Ut(e,t);return{element:Qe(`Link`,`The chosen link.`,!0,o.element,c.element,l.element,u.element,m.element,h.element,_.element,g),show:e=>{o.show(e.link.name),c.show(e.joint.parent??``),l.show(e),u.show(e.link.centre??[0,0,0]);let[t,n]=f();m.show(t),h.show(n),_.show(e)}}}function Ht(e,t,n){let{figure:{figure:r},link:{name:i}}=t,a=!!Ce(t.link),o=a?`density`:`mass`,c=()=>Ce(n().link)??[.3,.06,.06],l=()=>n().link.mass??0,u=()=>l()/Math.max(c().reduce((e,t)=>e*t,1),1e-12),d=e=>({figure:r,link:i,size:e,...o===`density`?{density:u()}:{mass:l()}}),f=Ze(e,{label:`Size`,help:`Length (x), height (y) and width (z) of a box that starts at the joint. A new size makes the link such a box.`,unit:`m`,step:.01,min:1e-4,names:[`length`,`height`,`width`],check:e=>({kind:`set_link_size`,...d(e)}),commit:t=>void e.run(`set_link_size`,d(t))}),p=ze(`Kept when the size changes`,[[`density`,`density`,`A new size keeps the density and changes the mass.`],[`mass`,`mass`,`A new size keeps the mass and changes the density.`]],e=>p.show(o=e)),m=W(e,{label:`Density`,help:`Makes the link a box of this density.`,unit:`kg/m³`,min:0,step:50,check:e=>({kind:`set_link_size`,figure:r,link:i,size:c(),density:e}),commit:t=>void e.run(`set_link_size`,{figure:r,link:i,size:c(),density:t})}),h=W(e,{label:`Mass`,help:`Mass; the tensor is scaled in proportion.`,unit:`kg`,min:0,step:.1,check:e=>({kind:`set_link_inertia`,figure:r,link:i,mass:e}),commit:t=>void e.run(`set_link_inertia`,{figure:r,link:i,mass:t})});p.show(o);let g=s(`div`,{class:`row`},s(`span`,{class:`field-label`},`New size keeps`),p.element);return{element:a?s(`div`,null,f.element,g,s(`div`,{class:`two`},h.element,m.element)):s(`div`,null,h.element,s(`details`,{class:`more`},s(`summary`,{help:`This link has other shapes. A size replaces them by a box.`},`Make a box`),f.element,g)),show:e=>{f.show(c()),h.show(e.link.mass??0),m.show(u())}}}function Ut(e,t){let{figure:{figure:n},link:{name:r}}=t,i=t.document.marker.filter(e=>e.link===r).map(t=>({name:t.name,field:Ze(e,{label:`Marker ${t.name}`,help:`Position of the marker, in the link's frame.`,unit:`m`,step:.01,commit:i=>void e.run(`set_marker`,{figure:n,name:t.name,link:r,point:i})})})),a=s(`input`,{type:`text`,placeholder:`marker name`,"aria-label":`Name of the new marker`,spellcheck:!1,help:`Name of a new marker, a named point on the link.`});return{element:s(`details`,{class:`more`},s(`summary`,{help:`Named points on this link.`},`Markers (${i.length})`),i.map(({name:t,field:r})=>s(`div`,{class:`row`},r.element,f(A.close,`Remove marker ${t}`,`Removes this marker.`,()=>void e.run(`remove_marker`,{figure:n,name:t})))),s(`div`,{class:`row`},a,q(`Add a marker`,`Adds a marker at the link's far end.`,()=>a.value.trim()&&void e.run(`set_marker`,{figure:n,name:a.value.trim(),link:r,point:Ce(t.link)?[Ce(t.link)[0],0,0]:[0,0,0]}),`small`))),show:e=>{for(let{name:t,field:n}of i)n.show(e.document.marker.find(e=>e.name===t)?.point??[0,0,0])}}}function Wt(e){let t=s(`div`,{class:`table-place`});return{element:t,show:n=>{let{document:r,figure:i}=n,a=globalThis.document.activeElement?.dataset.cell,o=(t,n,a)=>{let o=`${t.name}/${n}`,c=t.child===n,l=!a&&!!t.parent&&!Se(r,n,t.child),u=c?`${n} is the child of joint ${t.name}.`:a?`${n} is the parent of ${t.child}.`:l?`Makes ${n} the parent of ${t.child}.`:t.parent?`${n} cannot be the parent of ${t.child}, because it is a descendant of ${t.child}.`:`The parent of the root is the world.`;return s(`td`,null,s(`button`,{type:`button`,class:`cell${c?` child`:a?` parent`:``}`,disabled:!l&&!a,"aria-label":`${t.name} ${n}: ${a?`connected`:`not connected`}`,help:u,dataset:{cell:o},onclick:()=>l?void e.run(`connect_joint`,{figure:i.figure,joint:t.name,link:n}):ke(e,i,t.child)},c?`●`:a?`○`:``))};c(t,s(`table`,{class:`connectivity`,"aria-label":`Connectivity: joints by links`},s(`thead`,null,s(`tr`,null,s(`th`,null,`joint`),r.link.map(({name:e})=>s(`th`,{class:`upright`},s(`span`,null,e))))),s(`tbody`,null,i.connectivity.map((t,a)=>{let c=r.link[a],l=r.joint.find(({child:e})=>e===c.name);return s(`tr`,{class:c.name===n.link.name?`on`:``},s(`th`,null,s(`button`,{type:`button`,class:`quiet small`,help:`Chooses joint ${l.name}.`,onclick:()=>ke(e,i,l.child)},l.name)),t.map((e,t)=>o(l,r.link[t].name,e)))}))),s(`p`,{class:`quiet-text small-text`},`● child of the joint   ○ parent of the joint. Click an empty cell to change the parent.`)),a&&[...t.querySelectorAll(`[data-cell]`)].find(e=>e.dataset.cell===a)?.focus({preventScroll:!0})}}}var Gt=400;function Kt(e,t){let{figure:n}=t.figure,r=s(`textarea`,{class:`toml`,spellcheck:!1,"aria-label":`figure.toml`,help:`The figure as text. Ctrl Enter applies it.`}),i=s(`p`,{class:`small-text`,role:`status`}),a=``,o=0,c=e=>{a=r.value=e,i.textContent=`No changes.`,i.className=`small-text quiet-text`},l=()=>void e.run(`set_figure_text`,{figure:n,text:r.value}).then(e=>e!==void 0&&(a=r.value));return r.addEventListener(`input`,()=>{clearTimeout(o),o=window.setTimeout(async()=>{let t=await e.connection.send(`check`,{command:{kind:`set_figure_text`,figure:n,text:r.value}}).catch(()=>null);t&&(i.textContent=t.ok?`The text is valid. Press Apply to use it.`:t.message,i.className=t.ok?`small-text quiet-text`:`small-text field-error`)},Gt)}),r.addEventListener(`keydown`,e=>{e.key===`Enter`&&(e.ctrlKey||e.metaKey)&&(e.preventDefault(),l()),e.key===`Escape`&&e.stopPropagation()}),{element:s(`div`,{class:`text-panel`},r,s(`div`,{class:`row`},i,s(`div`,{class:`spread`}),q(`Revert`,`Discards the changes.`,()=>c(U(e)?.figure.text??a)),q(`Apply`,`Replaces the figure by the text (Ctrl Enter).`,l,`primary`))),show:e=>{e?.figure.text&&(r.value===a||!a)&&c(e.figure.text)}}}function qt(e){let t=s(`div`,{class:`tree`,role:`tree`,"aria-label":`Links`,tabIndex:-1,dataset:{tip:`none`},help:`Arrow keys move from link to link. Delete removes the chosen link, F2 renames it, + adds a child. Drag a link onto another to change its parent.`}),n=``,r=()=>document.querySelector(`[data-at='Name of the link']`)?.select();return t.addEventListener(`keydown`,n=>{let i=U(e),a=[...t.querySelectorAll(`[role='treeitem']`)],o=a.indexOf(document.activeElement);if(!i||o<0)return;let s={ArrowDown:o+1,ArrowUp:o-1,Home:0,End:a.length-1}[n.key];if(s!==void 0){let t=a[Math.min(Math.max(s,0),a.length-1)];t.focus(),ke(e,i.figure,t.dataset.link)}else if(n.key===`Delete`)e.run(`remove_link`,{figure:i.figure.figure,link:i.link.name});else if(n.key===`F2`)r();else if(n.key===`+`||n.key===`Insert`)document.querySelector(`[data-at='Name of the new link']`)?.focus();else return;n.preventDefault(),n.stopPropagation()}),{element:t,show:i=>{let a=t.contains(document.activeElement);c(t,z(i.document).map(({name:t,depth:a,joint:o})=>{let c=t===i.link.name,l=s(`div`,{class:`tree-row${c?` on`:``}`,role:`treeitem`,"aria-selected":String(c),"aria-level":a+1,tabIndex:c?0:-1,draggable:a>0,dataset:{link:t},style:{paddingLeft:`${8+14*Math.min(a,10)}px`}},s(`span`,{class:`tree-name`},t),s(`small`,{class:`quiet-text`},a||o.type!==`weld`?o.type:`fixed to the world`));return l.addEventListener(`click`,()=>{let n=U(e);n&&ke(e,n.figure,t)}),l.addEventListener(`dblclick`,r),l.addEventListener(`dragstart`,e=>(n=t,e.dataTransfer?.setData(`text/plain`,t))),l.addEventListener(`dragover`,e=>{n&&!Se(i.document,t,n)&&(e.preventDefault(),l.classList.add(`target`))}),l.addEventListener(`dragleave`,()=>l.classList.remove(`target`)),l.addEventListener(`drop`,r=>{r.preventDefault(),r.stopPropagation(),l.classList.remove(`target`),n&&n!==t&&e.run(`reparent_link`,{figure:i.figure.figure,link:n,parent:t,keep_place:!0}),n=``}),l})),a&&t.querySelector(`.on`)?.focus({preventScroll:!0})}}}var Jt=class{app;shell;element=s(`section`,{class:`editor`,"aria-label":`Build Structure`,hidden:!0});page=`tree`;constructor(e,t){this.app=e,this.shell=t;let n=s(`div`),r=s(`div`,{class:`editor-body`}),i=s(`p`,{class:`quiet-text editor-foot`,role:`status`}),a=ze(`Show the structure as`,[[`tree`,`Tree`,`The links as a tree. Drag a link onto another to change its parent. Delete removes the chosen link, F2 renames it, + adds a child.`],[`table`,`Table`,`The connectivity table, joints × links. Click an empty cell to change the parent of the joint's link.`],[`text`,`Text`,`The figure.toml as text.`]],t=>{this.page=t,a.show(t),l(U(e))});a.show(this.page);let o=Xe(n,e=>JSON.stringify([e?.figure.figure,e?.project.figures.map(({figure:e,name:t})=>[e,t])]),e=>this.head(e)),l=Xe(r,e=>`${this.page} ${e?.figure.figure??``}`,t=>t?this.body(t):Yt(e));c(this.element,s(`header`,{class:`editor-head`},s(`h2`,null,`Build Structure`),a.element,s(`div`,{class:`spread`}),q(`Done`,`Closes the editor (Esc).`,()=>this.open(!1),`primary`)),n,r,i),Ee(e,e=>{this.element.hidden||(o(e),l(e),c(i,e?[`${e.document.link.length} ${e.document.link.length===1?`link`:`links`}, ${e.figure.dofs.length} ${e.figure.dofs.length===1?`degree`:`degrees`} of freedom, ${e.figure.mass.toFixed(3)} kg. `,s(`span`,{class:`notes`},e.figure.notes.join(` `))]:``))}),this.element.addEventListener(`keydown`,e=>e.key===`Escape`&&!e.defaultPrevented&&this.open(!1))}open(e=!0){this.element.hidden=!e,this.shell.classList.toggle(`building`,e),dispatchEvent(new Event(`resize`)),e&&(this.app.store.get(`project`)?.shown!==null&&this.app.run(`show_motion`,{motion:null}),this.app.store.patch(`selection`,{}))}async fresh(){let e=await this.app.run(`new_figure`,{name:`figure`,root:`weld`});e!==void 0&&(Oe(this.app,e),this.open())}head(e){let{app:t}=this,n=e?.project.figures??[],r=G({label:`Figure`,face:``,help:`The figure to edit.`,choices:n.map(({figure:e,name:t})=>[String(e),t]),commit:e=>Oe(t,Number(e))}),i=Re(t,{label:`Name of the figure`,face:`Name`,help:`Name of the figure.`,check:e=>({kind:`rename_figure`,figure:U(t).figure.figure,name:e}),commit:e=>void t.run(`rename_figure`,{figure:U(t).figure.figure,name:e})});return{element:s(`div`,{class:`row editor-tools`},n.length>1&&r.element,e&&i.element,q(`New figure`,`Creates a figure of one link.`,()=>void this.fresh(),`small`),e&&q(`Save …`,`Saves the figure as figure.toml, URDF or MJCF.`,()=>{let e=U(t);e&&dt(t,e.figure.figure,e.figure.name)},`small`)),show:e=>{e&&(r.show(String(e.figure.figure)),i.show(e.figure.name))}}}body(e){if(this.page===`text`)return Kt(this.app,e);let t=this.page===`tree`?qt(this.app):Wt(this.app),n=St(this.app),r=s(`div`),i=s(`div`),a=Bt(this.app,r),o=Nt(this.app,i);return{element:s(`div`,{class:`editor-columns ${this.page}`},s(`div`,{class:`editor-structure`},t.element,n.element),s(`div`,{class:`editor-forms`},r,i)),show:e=>{e&&(t.show(e),n.show(e),a(e),o(e))}}}};function Yt(e){return{element:s(`div`,{class:`editor-empty`},s(`p`,{class:`quiet-text`},`No figure is open. Create a figure of one link, then add others.`),q(`New figure`,`Creates a figure of one link.`,()=>void e.run(`new_figure`,{name:`figure`,root:`weld`}),`primary`)),show:()=>void 0}}var Xt=`M12 4v11M8 11l4 4l4-4M5 19h14`,Zt=`M5 7h14M10 7V4.500h4V7M7 7l1 13h8l1-13`;function Qt(e,t){let n=s(`div`,{class:`list`,role:`listbox`,"aria-label":`Figures`});return Ee(e,t=>{let r=e.store.get(`project`)?.figures??[];c(n,r.map(n=>$t(e,n,t?.figure.figure===n.figure)),!r.length&&s(`p`,{class:`quiet-text`},`No figure is open. Build one, open a file, or choose an example.`))}),Qe(`Figures`,`The figures of the project. Commands act on the chosen figure.`,!0,n,s(`div`,{class:`row`},q(`New figure`,`Creates a figure of one link.`,()=>t(!0),`small`)))}function $t(e,{figure:t,name:n,links:r,dofs:i},a){return s(`div`,{class:`list-row${a?` on`:``}`},s(`button`,{type:`button`,class:`list-face`,role:`option`,"aria-selected":String(a),help:`Chooses this figure.`,dataset:{figure:String(t)},onclick:()=>Oe(e,t)},s(`span`,null,n),s(`small`,{class:`quiet-text`},`${r} link${r===1?``:`s`}, ${i} dof`)),f(Xt,`Save ${n}`,`Saves this figure as figure.toml, URDF or MJCF.`,()=>dt(e,t,n)),f(Zt,`Remove ${n}`,`Removes this figure from the project.`,()=>void e.run(`remove_figure`,{figure:t})))}function en(e){let t=s(`div`,{class:`list`,role:`listbox`,"aria-label":`Motions`});return e.store.on(`project`,n=>{let r=n?.motions??[];c(t,r.length>0&&tn(e,n.shown===null),[...r].reverse().map(t=>nn(e,t,n.shown===t.motion)),!r.length&&s(`p`,{class:`quiet-text`},`Computed and opened motions appear here.`))},!0),Qe(`Motions`,`The motions of the project. Choose the motion to show.`,!0,t)}function tn(e,t){return s(`div`,{class:`list-row${t?` on`:``}`},s(`button`,{type:`button`,class:`list-face`,role:`option`,"aria-selected":String(t),help:`Shows the figures in their initial pose, which can be edited.`,dataset:{motion:`none`},onclick:()=>void e.run(`show_motion`,{motion:null})},s(`span`,null,`Initial pose`)))}function nn(e,{motion:t,title:n,duration:r,frames:i,kind:a},o){return s(`div`,{class:`list-row${o?` on`:``}`},s(`button`,{type:`button`,class:`list-face`,role:`option`,"aria-selected":String(o),help:`Shows this motion.`,dataset:{motion:String(t),kind:a},onclick:()=>void e.run(`show_motion`,{motion:t})},s(`span`,null,n),s(`small`,{class:`quiet-text`},`${r.toFixed(2)} s, ${i} frames`)),f(A.close,`Remove ${n}`,`Removes this motion.`,()=>void e.run(`remove_motion`,{motion:t})))}var rn=[[`computed`,`computed torque`],[`inverse`,`current state`],[`open`,`open loop`]];function an(e,t){let n=2,r=!1,i=t?`Direct Contact Dynamics`:`Direct Dynamics – No Contact`,a=W(e,{label:`Duration of ${t?`contact`:`direct`} dynamics`,face:`Duration`,help:`Duration of the motion, at most 600 s.`,unit:`s`,min:.001,max:600,step:.5,commit:e=>n=e??n}),o=K({label:`Only the chosen figure${t?` in contact`:``}`,face:`Only the chosen figure`,help:`Simulates only the chosen figure. Otherwise all figures of the project are simulated together.`,commit:e=>r=e}),c=s(`div`);e.store.on(`welcome`,t=>{let n=G({label:`Contact model`,help:`Contact model: springs with friction, or impulses without penetration.`,choices:(t?.contacts??[]).map(({name:e})=>e),commit:t=>void e.run(`set_scheme`,{contact:t})});c.replaceChildren(n.element),e.store.on(`project`,e=>e&&n.show(e.world.contact),!0)},!0),a.show(n);let l=()=>{let i=r?e.store.get(`selection`).figure:null;e.run(t?`contact_dynamics`:`direct_dynamics`,{duration:n,figure:i})};return{run:l,element:s(`div`,null,a.element,t&&c,o.element,q(`Run`,`${i}: computes the motion and shows it.`,l,`primary wide`,`Run ${t?`contact`:`direct`} dynamics`))}}function on(e){let t=`computed`,n=``,r=2,i=s(`div`),a=()=>void e.run(`hybrid_dynamics`,{figure:e.store.get(`selection`).figure,motion:n===``?null:Number(n),mode:t,duration:n===``?r:null}),o=Xe(i,({motions:e})=>JSON.stringify(e),({motions:i})=>{let o=G({label:`Desired motion`,face:`Desired`,help:`The desired motion: from keys, from control functions, or a motion of the project.`,choices:[[``,`keys or controls`],...i],commit:e=>n=e}),c=G({label:`Control`,help:`Control of the direct dynamics. Computed torque: feedback to the desired motion. Current state: inverse dynamics at every step. Open loop: the computed forces alone; the motion soon drifts away.`,choices:rn,commit:e=>t=e}),l=W(e,{label:`Duration of control functions`,face:`Duration`,help:`Duration of a motion that control functions prescribe.`,unit:`s`,min:.01,max:600,step:.5,commit:e=>r=e});return i.some(([e])=>e===n)||(n=``),o.show(n),c.show(t),l.show(r),{element:s(`div`,null,o.element,c.element,l.element,q(`Run`,`Computes HYBRID Dynamics: inverse dynamics of the desired motion, then direct dynamics.`,a,`primary wide`,`Run hybrid dynamics`)),show:()=>void 0}});return Ee(e,e=>o({motions:(e?.project.motions??[]).filter(({figure:t})=>t===e.figure.figure).map(e=>[String(e.motion),`${e.title} (${e.duration.toFixed(1)} s)`])})),{run:a,element:i}}function sn(e){let t=1,n=!0,r=W(e,{label:`Frames`,help:`Number of frames to append. The duration of a frame is 1 / frame rate.`,min:1,max:1e4,step:1,commit:e=>t=Math.round(e??1)}),i=K({label:`With contact`,help:`Simulates contact with the ground and obstacles.`,commit:e=>n=e});r.show(t),i.show(n);let a=()=>void e.run(`another_frame`,{frames:t,contact:n});return{run:a,element:s(`div`,null,r.element,i.element,q(`Another Frame`,`Computes the next frame and shows it.`,a,`primary wide`,`Compute another frame`))}}var cn=[`x`,`y`,`z`,`rot x`,`rot y`,`rot z`];function ln(e){let t=s(`div`);return Ee(e,Xe(t,e=>e?`${e.figure.figure} ${un(e)?.type}`:``,t=>t?dn(e,t):{element:s(`p`,{class:`quiet-text`},`No figure is open. Open or build one first.`),show:()=>void 0})),{element:t}}function un({document:e}){return e.joint.find(({parent:e})=>!e)}function dn(e,t){let n=t.figure.figure,r=un(t),i=r?.type===`free`,a=t=>void e.run(`set_root`,{figure:n,...t}),o=Ze(e,{label:`Position`,help:`Position of the root in the world.`,unit:`m`,step:.05,commit:t=>i?a({position:t}):void e.run(`set_joint_place`,{figure:n,joint:r.name,origin:t})}),c=Ze(e,{label:`Attitude`,help:`Attitude of the root in the world, as x-y-z Euler angles.`,unit:`°`,scale:Me,step:5,commit:t=>i?a({attitude:we(t)}):void e.run(`set_joint_place`,{figure:n,joint:r.name,angles:t})}),l=Ze(e,{label:`Velocity`,help:`Initial velocity of the root in the world.`,unit:`m/s`,step:.1,commit:e=>a({velocity:e})}),u=Ze(e,{label:`Spin`,help:`Initial angular velocity of the root, world axes.`,unit:`°/s`,scale:Me,step:10,commit:e=>a({spin:e})}),d=cn.map((t,n)=>K({label:`Root may move: ${t}`,face:t,help:`Allows the root to move along this axis, or to rotate about it. Otherwise it is held in place.`,commit:t=>{let r=U(e);r&&a({free:fn(r).map((e,r)=>r===n?t:!e)})}})),f=Ze(e,{label:`Force`,help:`A permanent force on the root link, world axes.`,unit:`N`,step:10,commit:e=>a({force:e})}),p=Ze(e,{label:`Moment`,help:`A permanent moment on the root link, world axes.`,unit:`N m`,step:5,commit:e=>a({moment:e})}),m=G({label:`Root joint`,help:`Type of the joint between root and world; free has six degrees of freedom.`,choices:[`free`,`weld`,`ball`,`revolute`,`translational`,`planar`],commit:t=>void e.run(`change_root`,{figure:n,link:e.store.get(`figures`).get(n).document.root,joint:t})});return{element:s(`div`,null,m.element,o.element,c.element,i&&[l.element,u.element,s(`div`,{class:`field-label`},`May move`),s(`div`,{class:`ticks`},d.map(({element:e})=>e)),f.element,p.element]),show:e=>{if(!e)return;m.show(un(e)?.type??`free`);let t=e.document.link.findIndex(({name:t})=>t===un(e)?.child),[r,a,s,...h]=e.figure.poses[t]??[0,0,0,1,0,0,0],g=Te(h);if(o.show([r,a,s]),c.show(H(g)),!i)return;let _=e.figure.dofs.filter(({joint:t})=>t===un(e).name).map(({rate:e})=>e);l.show(_.slice(0,3));let v=_.slice(3,6);u.show(g.map(e=>e.reduce((e,t,n)=>e+t*(v[n]??0),0))),fn(e).forEach((e,t)=>d[t].show(!e));let y=t=>e.project.forces.find(r=>r.figure===n&&r.link===un(e).child&&r.moment===t&&r.start===0&&r.end===null)?.vector??[0,0,0];f.show(y(!1)),p.show(y(!0))}}}function fn(e){return e.figure.dofs.filter(({joint:t})=>t===un(e)?.name).slice(0,6).map(({drive:e})=>e===`motion`)}function pn(e){let t=s(`div`),n=``,r=-1,i=()=>{let t=U(e);t&&e.run(`change_root`,{figure:t.figure.figure,link:n||t.link.name})};return Ee(e,Xe(t,e=>e?JSON.stringify([e.figure.figure,e.document.link.map(({name:e})=>e)]):``,e=>{if(!e)return{element:s(`p`,{class:`quiet-text`},`No figure is open. Open or build one first.`),show:()=>void 0};let t=G({label:`New root`,help:`The new root. Click a link on the stage, or choose it here. The joints between old and new root are reversed and keep their limits and springs.`,choices:e.document.link.map(({name:e})=>e),commit:e=>n=e}),a=s(`p`,{class:`quiet-text`});return{element:s(`div`,null,a,t.element,q(`Change the root`,`Makes this link the root. The dynamics stay the same.`,i,`primary wide`)),show:e=>{e&&((r!==e.figure.figure||e.number>0||!e.document.link.some(({name:e})=>e===n))&&(n=e.link.name),r=e.figure.figure,t.show(n),a.textContent=`The root is ${e.document.root}.`)}}})),{element:t}}var mn=[[`three-quarter`,`3/4`],[`front`,`Front`],[`back`,`Back`],[`left`,`Left`],[`right`,`Right`],[`top`,`Top`]];function hn(e,t){if(!t)return{element:s(`p`,{class:`quiet-text`},`This browser cannot draw the 3D view.`)};let n=ze(`Camera`,[[`orbit`,`Orbit`,`A camera that you move freely.`],[`follow`,`Follow`,`The camera moves with the figure.`],[`fixed`,`Fixed`,`The camera stays in place and turns to the figure.`],[`keys`,`Keys`,`The camera follows the camera keys on the timeline.`]],t=>e.store.set(`camera`,t)),r=n=>{let r={...t.cameras.view(),...n},i=e.store.get(`camera`);t.cameras.apply(r),e.connection.post(`set_camera`,{camera:{...r,mode:i===`keys`?`fixed`:i}})},i=Ze(e,{label:`Camera position`,help:`Position of the camera in the world.`,unit:`m`,step:.1,commit:e=>r({eye:e})}),a=Ze(e,{label:`Target`,help:`The point that the camera looks at.`,unit:`m`,step:.1,commit:e=>r({target:e})}),o=W(e,{label:`Field of view`,help:`Vertical field of view.`,unit:`°`,min:5,max:120,step:1,commit:e=>e!==null&&r({field:e})}),c=()=>{let r=t.cameras.view();i.show(r.eye),a.show(r.target),o.show(r.field),n.show(e.store.get(`camera`))};return e.store.on(`camera`,e=>n.show(e),!0),t.cameras.controls.addEventListener(`end`,c),{opened:c,element:s(`div`,null,n.element,s(`div`,{class:`chips`,role:`group`,"aria-label":`Sides`},mn.map(([e,n])=>q(n,`Shows the figure from this side: ${e}.`,()=>(t.lookFrom(e),c()),`chip`))),i.element,a.element,o.element)}}var gn=`M12 3l3 5h-6zM4 16h5v5H4zM15 16h5v5h-5zM12 8v4M6.500 16v-4h11v4`,_n=`M12 4v9M8 9l4 4l4-4M5 20h14M8 16.500h8`,vn=`M4 8h12l-3-3M20 16H8l3 3`,yn=`M4 5h16v14H4zM12 9v6M9 12h6`,bn=`M5 7h14M5 12h14M5 17h14M9 5v4M15 10v4M8 15v4`,xn=`M12 3v12M8 11l4 4l4-4`,Sn=`M12 3v9M8.500 8.500L12 12l3.500-3.500M3 17h18M6 20.500l2-3.500M11 20.500l2-3.500M16 20.500l2-3.500`,Cn=`M4 17c5 0 5-10 10-10M14 7l-3-2.500M14 7l-3 2.500M20 7c-5 0-5 10-10 10M10 17l3-2.500M10 17l3 2.500`;function wn(e,t,n){let r=on(e),i=an(e,!1),a=an(e,!0),o=sn(e);return s(`nav`,{class:`commands`,"aria-label":`Command menu`},[{name:`Build Structure`,icon:gn,keys:`shift+b`,help:`Build Structure: build a figure of links and joints, or edit the chosen one.`,run:n.build},{name:`HYBRID Dynamics`,icon:Cn,keys:`shift+h`,help:`HYBRID Dynamics (HIDDS): compute the forces of a desired motion by inverse dynamics, then the motion of these forces by direct dynamics.`,setting:r},{name:`Direct Dynamics – No Contact`,icon:xn,keys:`shift+d`,help:`Direct Dynamics – No Contact: gravity, springs, drives and forces move the figures, without contact.`,setting:i},{name:`Direct Contact Dynamics`,icon:Sn,keys:`shift+c`,help:`Direct Contact Dynamics: like Direct Dynamics, but with contact between the figures, the ground and obstacles.`,setting:a},{name:`Set View Point`,icon:A.camera,keys:`shift+v`,help:`Set View Point: position, target and field of view of the camera.`,setting:hn(e,t)},{name:`Root Characteristics`,icon:_n,keys:`shift+r`,help:`Root Characteristics: position, attitude, velocity, free directions and loads of the root.`,setting:ln(e)},{name:`Another Frame`,icon:yn,keys:`shift+f`,help:`Another Frame: compute and show the next frame of the shown motion.`,setting:o},{name:`Degrees of Freedom`,icon:bn,keys:`shift+n`,help:`Degrees of Freedom: show the panel of the chosen joint in the right column.`,run:n.dofs},{name:`Change Root`,icon:vn,keys:`shift+t`,help:`Change Root: make another link the root. The dynamics stay the same.`,setting:pn(e)}].map(t=>Tn(e,t)))}function Tn(e,{name:t,icon:n,keys:r,help:i,run:a,setting:o}){let c=o?s(`div`,{class:`command-setting`,hidden:!0},o.element):null,l=(e=!!c?.hidden)=>{if(!c)return a?.();c.hidden=!e,u.setAttribute(`aria-expanded`,String(e)),e&&o?.opened?.()},u=s(`button`,{type:`button`,class:`command`,help:`${i} (${r.replace(`shift+`,`Shift `).toUpperCase().replace(`SHIFT`,`Shift`)})`,dataset:{command:t},...c?{"aria-expanded":`false`}:{},onclick:()=>l()},d(n,!1,17),s(`span`,{class:`spread`},t));return e.shortcut(r,t,()=>o?.run?o.run():l(!0)),s(`div`,{class:`command-row`},s(`div`,{class:`command-line`},u,o?.run&&f(A.play,`Run ${t}`,`Runs this command with its present settings.`,()=>o.run(),!0)),c)}function En(e){let t=s(`div`),n=Xe(t,e=>`${e.ground.kind} ${e.obstacles.map(({kind:e,name:t})=>e+t).join()}`,t=>Dn(e,t));return e.store.on(`project`,e=>e&&n(e.world),!0),Qe(`World`,`Gravity, ground and obstacles of all figures; time step and frame rate of simulations.`,!1,t)}function Dn(e,t){let n=()=>e.store.get(`project`).world,r=t=>void e.run(`set_ground`,{ground:{...n().ground,...t}}),i=Be({label:`Gravity`,help:`Gravity. A change acts at once, also in a live run.`,step:.01,move:(t,n)=>n?void e.run(`set_gravity`,{gravity:[0,0,-t],done:n}):e.connection.post(`set_gravity`,{gravity:[0,0,-t],done:n})});i.bounds(0,25);let a=W(e,{label:`Gravity downwards`,face:``,help:`Gravity downwards: 9.81 on Earth, 1.62 on the Moon, 3.72 on Mars.`,unit:`m/s²`,step:.1,commit:t=>t!==null&&void e.run(`set_gravity`,{gravity:[0,0,-t]})}),o=G({label:`Ground`,help:`Type of the ground.`,choices:(e.store.get(`welcome`)?.terrains??[]).map(({name:e,words:t})=>[e,`${e}: ${t}`]),commit:e=>r({kind:e})}),c=(t,n,i,a,o=1,s=.01)=>({key:t,field:W(e,{label:n,help:i,unit:a,scale:o,step:s,commit:e=>e!==null&&r({[t]:e})})}),l=[...t.ground.kind===`slope`?[c(`slope`,`Slope`,`Inclination along x.`,`°`,Me,1)]:[],...[`rough`,`stairs`,`waves`].includes(t.ground.kind)?[c(`height`,`Height`,`Height of a bump, a step or a wave.`,`m`),c(`size`,`Size`,`Length of a bump, a step or a wave.`,`m`,1,.1)]:[],...t.ground.kind===`rough`?[c(`seed`,`Seed`,`Seed of the random heights.`,``,1,1)]:[],...t.ground.kind===`none`?[]:[c(`friction`,`Friction`,`Coefficient of friction: about 0 on ice, about 1 for rubber.`,``,1,.05)]],u=W(e,{label:`Time step`,help:`Time step of simulations. A smaller step is more accurate and slower.`,unit:`ms`,scale:1e3,step:.1,check:e=>({kind:`set_scheme`,dt:e}),commit:t=>void e.run(`set_scheme`,{dt:t})}),d=W(e,{label:`Frame rate`,face:`Frames/s`,help:`Recorded frames per second of computed motions.`,step:10,check:e=>({kind:`set_scheme`,rate:e}),commit:t=>void e.run(`set_scheme`,{rate:t})}),f=On(e,t);return{element:s(`div`,null,s(`div`,{class:`slider-row`},s(`span`,{class:`field-label`},`Gravity`),i.element,a.element),o.element,l.map(({field:e})=>e.element),u.element,d.element,f.element),show:e=>{i.show(-e.gravity[2]),a.show(-e.gravity[2]),o.show(e.ground.kind);for(let{key:t,field:n}of l)n.show(e.ground[t]);u.show(e.dt),d.show(e.rate),f.show(e)}}}function On(e,t){let n=()=>e.store.get(`project`).world.obstacles,r=t=>void e.run(`set_obstacles`,{obstacles:t}),i=t.obstacles.map((t,i)=>{let a=Ze(e,{label:t.name,help:`Position of the centre of the obstacle.`,unit:`m`,step:.1,commit:e=>r(n().map((t,n)=>n===i?{...t,position:e}:t))}),o=t.kind===`box`?Ze(e,{label:`Edges`,help:`Lengths of the edges of the box.`,unit:`m`,step:.1,min:.001,commit:e=>r(n().map((t,n)=>n===i?{...t,size:e}:t))}):null;return{at:a,size:o,element:s(`div`,{class:`obstacle`},a.element,o?.element,f(A.close,`Remove ${t.name}`,`Removes this obstacle.`,()=>r(n().filter((e,t)=>t!==i))))}}),a=(e,t,i)=>{let a=1;for(;n().some(({name:t})=>t===`${e}${a}`);)a++;r([...n(),{name:`${e}${a}`,kind:e,size:t,position:[1.5,0,i],attitude:[1,0,0,0]}])},o=s(`div`,null);return c(o,s(`h4`,null,`Obstacles`),i.map(e=>e.element),s(`div`,{class:`row wrap`},q(`Box`,`Adds a box 1.5 m ahead.`,()=>a(`box`,[.4,.8,.1],.05),`small`),q(`Ball`,`Adds a ball 1.5 m ahead.`,()=>a(`ball`,[.2],.2),`small`),q(`Capsule`,`Adds a capsule 1.5 m ahead.`,()=>a(`capsule`,[.1,.6],.4),`small`))),{element:o,show:e=>i.forEach(({at:t,size:n},r)=>{let i=e.obstacles[r];i&&(t.show(i.position),i.kind===`box`&&n?.show(i.size))})}}function kn(e,t){let n=e.length;if(!n)return t.map(()=>0);if(n===1)return t.map(()=>e[0][1]);let r=e.map(e=>e[0]),i=e.map(e=>e[1]),a=An(r,i),o=0;return t.map(e=>{if(e<=r[0])return i[0];if(e>=r[n-1])return i[n-1];for(e<r[o]&&(o=0);o<n-2&&e>r[o+1];)o++;let t=r[o+1]-r[o],s=(r[o+1]-e)/t,c=1-s;return s*i[o]+c*i[o+1]+((s**3-s)*a[o]+(c**3-c)*a[o+1])*t*t/6})}function An(e,t){let n=e.length,r=Array(n).fill(0),i=Array(n).fill(0),a=Array(n).fill(0);for(let r=1;r<n-1;r++){let n=e[r]-e[r-1],o=e[r+1]-e[r],s=2*(n+o)-n*i[r-1];i[r]=o/s,a[r]=(6*((t[r+1]-t[r])/o-(t[r]-t[r-1])/n)-n*a[r-1])/s}for(let e=n-2;e>0;e--)r[e]=a[e]-i[e]*r[e+1];return r}var jn=`http://www.w3.org/2000/svg`,Mn=44,Nn=12,Pn=10,Fn=20,In=class{app;options;element;soft=0;chosen=null;svg=Rn(`svg`,{class:`curve`,role:`group`});state={points:[],unit:``};wanted=null;latest=null;busy=!1;held=null;box=[0,1,-1,1];constructor(e,t){this.app=e,this.options=t,this.svg.setAttribute(`aria-label`,t.label),this.element=s(`div`,{class:`curve-place`,dataset:{tip:`none`},help:t.help},this.svg),new ResizeObserver(()=>this.draw()).observe(this.element),this.svg.addEventListener(`pointerdown`,e=>this.press(e)),this.svg.addEventListener(`pointermove`,e=>this.move(e)),this.svg.addEventListener(`pointerup`,()=>this.release()),this.svg.addEventListener(`pointercancel`,()=>this.release()),this.svg.addEventListener(`dblclick`,e=>this.add(e)),this.svg.addEventListener(`keydown`,e=>this.key(e)),this.svg.addEventListener(`focusin`,e=>this.reach(e)),e.store.on(`time`,()=>this.cursor())}show(e){if(this.held||this.busy)return;this.state={...e,points:[...e.points].sort((e,t)=>e[0]-t[0])};let t=this.state.points.findIndex(([e])=>this.wanted!==null&&Math.abs(e-this.wanted)<1e-6);this.chosen=t<0?null:t,this.draw()}async submit(){if(this.latest=this.state.points.map(([e,t])=>[e,t]),!this.busy){for(this.busy=!0;this.latest;){let e=this.latest;this.latest=null,await this.options.change(e)}this.busy=!1,this.options.refresh()}}get points(){return this.state.points}put(e,t,n,r=this.state.points){let i=r[e],a=t[1]-i[1],o=r.map((n,r)=>{if(r===e)return this.options.fixedTimes?[n[0],t[1]]:t;let o=Math.abs(n[0]-i[0]);return this.soft>0&&o<this.soft?[n[0],n[1]+a*.5*(1+Math.cos(Math.PI*o/this.soft))]:n}),s=o[e];this.state={...this.state,points:o.sort((e,t)=>e[0]-t[0])},this.chosen=this.state.points.indexOf(s),this.wanted=s[0],n&&this.submit(),this.options.choose?.(this.chosen),this.draw()}remove(e){this.options.fixedTimes||this.state.points.length<2||(this.state={...this.state,points:this.state.points.filter((t,n)=>n!==e)},this.choose(null),this.submit(),this.draw())}choose(e){this.chosen=e,this.wanted=e===null?null:this.state.points[e]?.[0]??null,this.options.choose?.(e)}frame(){let{points:e,scale:t=1,ghost:n,span:r,limits:i}=this.state,a=[...e,...n??[]],o=[...a.map(e=>e[0]),...r??[]],s=[...a.map(e=>e[1]*t),...[...i??[]].filter(e=>e!==null).map(e=>e*t)],[c,l]=o.length?[Math.min(...o),Math.max(...o)]:[0,1],[u,d]=s.length?[Math.min(...s),Math.max(...s)]:[-1,1],f=Math.max((d-u)*.12,Math.abs(d)*.02,1e-6);d-u<1e-9&&([u,d]=[u-Math.max(1,Math.abs(u)*.5),d+Math.max(1,Math.abs(d)*.5)]),this.box=[c,Math.max(l,c+.1),u-f,d+f]}get size(){return[Math.max(this.element.clientWidth,80),Math.max(this.element.clientHeight,60)]}x(e){let[t,n]=this.box;return Mn+(e-t)/(n-t)*(this.size[0]-Mn-Nn)}y(e){let[,,t,n]=this.box;return Pn+(n-e)/(n-t)*(this.size[1]-Pn-Fn)}at(e){let t=this.svg.getBoundingClientRect(),[n,r,i,a]=this.box,[o,s]=this.size,c=n+(e.clientX-t.left-Mn)/(o-Mn-Nn)*(r-n),l=a-(e.clientY-t.top-Pn)/(s-Pn-Fn)*(a-i);return[Math.max(0,Math.round(c*1e3)/1e3),l/(this.state.scale??1)]}draw(){this.held||this.frame();let[e,t]=this.size,{points:n,scale:r=1,unit:i,ghost:a,limits:o}=this.state,[s,c,l,u]=this.box,d=this.svg.contains(document.activeElement);this.svg.setAttribute(`viewBox`,`0 0 ${e} ${t}`);let f=[];for(let n of Vn(s,c,Math.max(2,Math.floor(e/80))))f.push(Rn(`line`,{class:`grid`,x1:this.x(n),x2:this.x(n),y1:Pn,y2:t-Fn}),zn(Bn(n),this.x(n),t-6,`middle`));for(let n of Vn(l,u,Math.max(2,Math.floor(t/34))))f.push(Rn(`line`,{class:n===0?`grid zero`:`grid`,x1:Mn,x2:e-Nn,y1:this.y(n),y2:this.y(n)}),zn(Bn(n),38,this.y(n)+3.5,`end`));f.push(zn(i,4,11,`start`),zn(`s`,e-4,t-6,`end`));for(let t of o??[])t!==null&&f.push(Rn(`line`,{class:`limit`,x1:Mn,x2:e-Nn,y1:this.y(t*r),y2:this.y(t*r)}));a?.length&&f.push(Rn(`path`,{class:`ghost`,d:this.path(a)})),n.length&&f.push(Rn(`path`,{class:`line`,d:this.path(n)})),n.forEach(([e,t],a)=>f.push(Rn(`circle`,{class:a===this.chosen?`point on`:`point`,cx:this.x(e),cy:this.y(t*r),r:n.length>80?3:4.5,tabindex:0,role:`slider`,"data-index":a,"aria-label":`Point ${a+1} at ${Bn(e)} s`,"aria-valuenow":Bn(t*r),"aria-valuetext":`${Bn(t*r)} ${i}`}))),f.push(Rn(`line`,{class:`cursor`,x1:0,x2:0,y1:Pn,y2:t-Fn})),this.svg.replaceChildren(...f),this.cursor(),d&&this.chosen!==null&&this.svg.querySelector(`[data-index="${this.chosen}"]`)?.focus()}path(e){let[t,n]=this.box,r=Math.min(600,Math.max(120,6*e.length)),i=Array.from({length:r+1},(e,i)=>t+(n-t)*i/r);return kn(e,i).map((e,t)=>`${t?`L`:`M`}${this.x(i[t]).toFixed(1)} ${this.y(e*(this.state.scale??1)).toFixed(1)}`).join(``)}cursor(){let e=this.svg.querySelector(`.cursor`),t=this.app.store.get(`time`),n=String(this.x(t));e?.setAttribute(`x1`,n),e?.setAttribute(`x2`,n),e?.setAttribute(`visibility`,t<this.box[0]||t>this.box[1]?`hidden`:`visible`)}press(e){let t=Ln(e.target);if(t===null){this.choose(null);let t=this.app.store.get(`motion`),n=this.at(e)[0];return t&&!this.app.store.get(`live`)&&this.app.store.set(`time`,Math.min(Math.max(n,t.start),Math.max(t.end,n))),this.draw()}this.choose(t),this.held={index:t,from:[...this.state.points]},this.svg.setPointerCapture(e.pointerId),this.draw(),this.svg.querySelector(`[data-index="${t}"]`)?.focus(),e.preventDefault()}move(e){this.held&&this.put(this.held.index,this.at(e),!1,this.held.from)}release(){if(!this.held)return;let{from:e}=this.held;this.held=null,this.state.points.some(([t,n],r)=>e[r]?.[0]!==t||e[r]?.[1]!==n)?this.submit():this.options.refresh(),this.draw()}reach(e){let t=Ln(e.target);if(t!==null&&t!==this.chosen){this.choose(t);for(let e of this.svg.querySelectorAll(`.point`))e.classList.toggle(`on`,Ln(e)===t)}}add(e){this.options.fixedTimes||Ln(e.target)!==null||this.insert(this.at(e))}insert(e){let t=this.state.points.filter(([t])=>Math.abs(t-e[0])>1e-6);this.state={...this.state,points:[...t,e].sort((e,t)=>e[0]-t[0])},this.choose(this.state.points.indexOf(e)),this.submit(),this.draw()}key(e){let t=Ln(e.target);if(t===null)return;let[n,r]=this.state.points[t],[i,a,o,s]=this.box,c=e.shiftKey?10:1,l=this.state.scale??1,u=(s-o)/200/l*c,d=(a-i)/400*c,f={ArrowUp:[n,r+u],ArrowDown:[n,r-u],ArrowLeft:[Math.max(0,n-d),r],ArrowRight:[n+d,r]}[e.key];if(f)this.chosen=t,this.put(t,f,!0);else if(e.key===`Delete`||e.key===`Backspace`)this.remove(t);else return;e.preventDefault(),e.stopPropagation()}};function Ln(e){let t=e?.getAttribute?.(`data-index`);return t==null?null:Number(t)}function Rn(e,t){let n=document.createElementNS(jn,e);for(let[e,r]of Object.entries(t))n.setAttribute(e,String(r));return n}function zn(e,t,n,r){let i=Rn(`text`,{x:t,y:n,"text-anchor":r});return i.textContent=e,i}function Bn(e){return String(Number(e.toPrecision(4)))}function Vn(e,t,n){let r=(t-e)/n,i=10**Math.floor(Math.log10(r)),a=[1,2,5,10].map(e=>e*i).find(e=>e>=r),o=[];for(let n=Math.ceil(e/a);n*a<=t+1e-9;n++)o.push(Number((n*a).toPrecision(12)));return o}var Hn={sin:Math.sin,cos:Math.cos,tan:Math.tan,exp:Math.exp,log:Math.log,sqrt:Math.sqrt,abs:Math.abs,tanh:Math.tanh},Un={"+":[1,(e,t)=>e+t],"-":[1,(e,t)=>e-t],"*":[2,(e,t)=>e*t],"/":[2,(e,t)=>e/t],"**":[4,Math.pow],"^":[4,Math.pow]};function Wn(e){let t=e.match(/\d+\.?\d*(?:e[+-]?\d+)?|\.\d+|[a-z_]+|\*\*|[-+*/^()]/gi)??[];if(t.join(``)!==e.replace(/\s+/g,``))return null;let n=0,r=()=>{let e=t[n++]??``;if(e===`-`){let e=i(3);return t=>-e(t)}if(e===`(`){let e=i(0);if(t[n++]!==`)`)throw Error(`a bracket is open`);return e}if(/^[\d.]/.test(e))return()=>Number(e);if(e===`t`)return e=>e;if(e===`pi`)return()=>Math.PI;let a=Hn[e];if(!a||t[n]!==`(`)throw Error(`not known`);let o=r();return e=>a(o(e))},i=e=>{let a=r();for(let r=Un[t[n]??``];r&&r[0]>=e;r=Un[t[n]??``]){n++;let[e,t]=r,o=a,s=i(e===4?e:e+1);a=e=>t(o(e),s(e))}return a};try{let e=i(0);return n===t.length?e:null}catch{return null}}var Gn={position:[`°`,`m`],velocity:[`°/s`,`m/s`],acceleration:[`°/s²`,`m/s²`],force:[`N m`,`N`]},Kn={of:`position`,times:[],values:[],formula:``},qn=class{app;element=s(`div`,{class:`curves-panel`});what=`keys`;dof=``;joint=``;side=s(`div`,{class:`curves-side`});editor;kind;time;value;which;constructor(e){this.app=e,this.editor=new In(e,{label:`Curve`,help:`Drag points to move them. A double click adds a point. Delete removes the chosen point, arrow keys move it (with Shift ten times as far).`,change:e=>this.change(e),refresh:()=>this.show(),choose:()=>this.showPoint()}),this.kind=ze(`Curve of`,[[`keys`,`Keys`,`The keys of this degree of freedom.`],[`control`,`Control function`,`Position, velocity, acceleration or force over time, as a curve or a formula.`]],e=>(this.what=e,this.show())),this.time=W(e,{label:`Point time`,face:`t`,help:`Time of the chosen point.`,unit:`s`,min:0,step:.05,commit:e=>this.move(e,null)}),this.value=W(e,{label:`Point value`,face:`value`,help:`Value of the chosen point, in the unit of the curve.`,step:1,commit:e=>this.move(null,e)});let t=s(`div`);this.which=Xe(t,e=>e?JSON.stringify(e.figure.dofs.filter(e=>!e.locked).map(({name:e})=>e)):``,e=>{let t=G({label:`Degree of freedom`,face:``,help:`The degree of freedom whose curve is shown.`,choices:(e?.figure.dofs??[]).filter(e=>!e.locked).map(({name:e})=>e),commit:e=>(this.dof=e,this.editor.choose(null),this.show())});return{element:t.element,show:()=>t.show(this.dof)}}),c(this.element,s(`div`,{class:`curves-head`},this.kind.element,t,this.time.element,this.value.element,q(`Add a point`,`Adds a point at the time of the timeline's cursor.`,()=>this.addHere(),`small`),q(`Remove point`,`Removes the chosen point (Delete).`,()=>this.editor.chosen!==null&&this.editor.remove(this.editor.chosen),`small`)),s(`div`,{class:`curves-body`},this.editor.element,this.side)),Ee(e,()=>this.show())}of(e,t){this.dof=e,this.what=t,this.show()}view(){let e=U(this.app),t=e?.joint.name;if(!e||!t)return null;t!==this.joint&&(this.joint=t,e.figure.dofs.find(({name:e})=>e===this.dof)?.joint!==t&&(this.dof=``));let n=e.figure.dofs.filter(e=>!e.locked),r=n.find(({name:e})=>e===this.dof)??n.find(e=>e.joint===t)??n[0]??null;return this.dof=r?.name??``,r}keys(e){return e.project.keys[String(e.figure.figure)]??[]}control(e){return e.project.controls[String(e.figure.figure)]?.[this.dof]??null}show(){let e=U(this.app),t=this.view();if(this.kind.show(this.what),this.which(e),!e||!t)return c(this.side,s(`p`,{class:`quiet-text`},`Open or build a figure first.`));let n=t.unit===`rad`,r=[0,Math.max(1,this.app.store.get(`motion`)?.end??1)];if(this.what===`keys`){let i=this.keys(e).filter(({values:e})=>this.dof in e).map(e=>[e.time,e.values[this.dof]]);this.editor.show({points:i,unit:n?`°`:`m`,scale:n?Me:1,span:r,limits:[t.lower,t.upper]}),this.keySide(e)}else{let i=this.control(e)??Kn,a=Gn[i.of][+!n];this.editor.show({points:i.formula?[]:i.times.map((e,t)=>[e,i.values[t]]),ghost:Jn(i.formula,r),unit:a,scale:a.startsWith(`°`)?Me:1,span:r,...i.of===`position`?{limits:[t.lower,t.upper]}:{}}),this.controlSide(e,i)}this.showPoint()}keySide(e){let{figure:t}=e.figure,{ends:n,turned:r}=e.project.keys_setting,i=this.keys(e).length,a=`keys ${t} ${i}`;if(this.side.dataset.shape===a)return;this.side.dataset.shape=a;let o=G({label:`Ends`,help:`Conditions at the ends of the spline: zero curvature (natural), zero velocity (clamped), or cyclic (periodic).`,choices:[`natural`,`clamped`,`periodic`],commit:()=>void 0}),l=G({label:`Rotations`,help:`How rotations of ball joints are interpolated. log: accelerations are continuous. squad: velocities are continuous, and a key changes only the motion near it.`,choices:[[`log`,`log`],[`squad`,`squad`]],commit:()=>void 0});o.show(n),l.show(r);let u=e=>e.element.querySelector(`select`).value;c(this.side,s(`p`,{class:`quiet-text`},`${i} key${i===1?``:`s`} of this figure. Each point is the value of a key. A new point sets a key of this degree of freedom only.`),o.element,l.element,q(`Interpolate`,`Computes a smooth motion through all keys and shows it.`,()=>void this.app.run(`interpolate`,{figure:t,ends:u(o),turned:u(l)}),`primary`))}controlSide(e,t){let n=`control ${e.figure.figure} ${this.dof} ${t.of} ${t.formula}`;if(this.side.dataset.shape===n)return;this.side.dataset.shape=n;let r=G({label:`Quantity`,help:`The controlled quantity. Position, velocity and acceleration prescribe the motion; force drives by a force.`,choices:[`position`,`velocity`,`acceleration`,`force`],commit:e=>void this.put({...t,of:e})}),i=Re(this.app,{label:`Formula of t`,help:`A formula of the time t in SI units, such as 0.3*sin(2*pi*t). If it is empty, the points are used.`,placeholder:`0.3*sin(2*pi*t)`,check:n=>({kind:`set_control`,figure:e.figure.figure,dof:this.dof,control:{...t,formula:n}}),commit:e=>void this.put(e||t.times.length?{...t,formula:e}:null)});r.show(t.of),i.show(t.formula),c(this.side,r.element,i.element,q(`Remove control`,`Removes the control function; the degree of freedom is then free.`,()=>void this.put(null),`small`))}put(e){let t=U(this.app);if(!t)return Promise.resolve();let n=e&&!e.formula&&!e.times.length?{...e,times:[0,1],values:[this.view().value,this.view().value].map(t=>e.of===`position`?t:0)}:e;return this.app.run(`set_control`,{figure:t.figure.figure,dof:this.dof,control:n})}async change(e){let t=U(this.app);if(!t)return;if(this.what===`control`)return this.put({...this.control(t)??Kn,formula:``,times:e.map(([e])=>e),values:e.map(([,e])=>e)});let{figure:n}=t.figure,r=this.keys(t).filter(({values:e})=>this.dof in e).map(e=>[e.time,e.values[this.dof]]),i=(e,t)=>Math.abs(e-t)<1e-6,a=r.filter(([t])=>!e.some(([e])=>i(e,t))),o=e.filter(([e])=>!r.some(([t])=>i(t,e)));if(a.length===1&&o.length===1){let[e]=a,[t]=o;return await this.app.run(`move_key`,{figure:n,time:e[0],to:t[0]})===void 0||i(e[1],t[1])||this.app.run(`set_key`,{figure:n,time:t[0],values:{[this.dof]:t[1]}})}for(let[e]of a)await this.app.run(`remove_key`,{figure:n,time:e});for(let[t,a]of e)r.some(([e,n])=>i(e,t)&&n===a)||await this.app.run(`set_key`,{figure:n,time:t,values:{[this.dof]:a}})}addHere(){let e=U(this.app),t=this.view();if(!e||!t)return;let n=this.editor.points,r=n[n.length-1];this.editor.insert([Math.round(this.app.store.get(`time`)*1e3)/1e3,r?r[1]:this.what===`keys`||(this.control(e)??Kn).of===`position`?t.value:0])}scale(){let e=this.view(),t=U(this.app);return!e||!t||e.unit!==`rad`?1:this.what===`keys`||(this.control(t)??Kn).of!==`force`?Me:1}move(e,t){let n=this.editor.chosen;if(n===null)return;let[r,i]=this.editor.points[n];this.editor.put(n,[e??r,t===null?i:t/this.scale()],!0)}showPoint(){let e=this.editor.chosen,t=e===null?void 0:this.editor.points[e];this.time.show(t?t[0]:null),this.value.show(t?t[1]*this.scale():null),this.element.classList.toggle(`no-point`,!t)}};function Jn(e,[t,n]){let r=e?Wn(e):null,i=r&&Array.from({length:201},(e,i)=>[t+(n-t)*i/200,r(t+(n-t)*i/200)]);return i?.every(([,e])=>Number.isFinite(e))?i:null}function Yn(e){let t=s(`div`),n=s(`div`,{class:`forces-list`});Ee(e,Xe(t,e=>e?JSON.stringify([e.figure.figure,e.document.link.map(({name:e})=>e)]):``,t=>t?Xn(e,t):{element:s(`p`,{class:`quiet-text`},`Open or build a figure first.`),show:()=>void 0}));let r=Xe(n,e=>JSON.stringify(e.map(({force:e,link:t,axes:n,moment:r})=>[e,t,n,r])),t=>{let n=t.map(t=>Zn(e,t));return{element:s(`div`,null,n.map(({element:e})=>e),!t.length&&s(`p`,{class:`quiet-text`},`There are no forces yet. A force acts at once in a live run, and in motions that are computed afterwards.`)),show:e=>n.forEach((t,n)=>t.show(e[n]))}});return e.store.on(`project`,e=>r(e?.forces??[]),!0),s(`div`,{class:`forces-panel`},s(`h3`,null,`Apply a force`),t,s(`h3`,null,`Forces`),n)}function Xn(e,t){let n=``,r=`x`,i=45,a=`world`,o=!1,c=0,l=null,u=[0,0,0],d=-1,f=G({label:`Force applied on link`,help:`The link that the force acts on. You can also click a link on the stage.`,choices:t.document.link.map(({name:e})=>e),commit:e=>n=e}),p=W(e,{label:`Size of the force`,face:`Size`,help:`Size of the force. A negative size reverses its direction.`,unit:`N`,step:5,commit:e=>i=e??i}),m=ze(`Direction of the applied force`,[[`x`,`X`,`Along x: forwards.`],[`y`,`Y`,`Along y: to the left.`],[`z`,`Z`,`Along z: upwards.`]],e=>m.show(r=e)),h=G({label:`Axes`,help:`The axes of the direction: those of the world, or those of the link, which rotate with it.`,choices:[[`world`,`the world's`],[`link`,`the link's`]],commit:e=>a=e}),g=K({label:`A moment`,help:`A moment [N m] instead of a force.`,commit:e=>o=e}),_=W(e,{label:`From`,help:`Start time.`,unit:`s`,min:0,step:.1,commit:e=>c=e??0}),v=W(e,{label:`To`,help:`End time. Leave it empty for a force without end.`,unit:`s`,min:0,step:.1,empty:`no end`,commit:e=>l=e}),y=Ze(e,{label:`Point`,help:`Point of application, in the link's frame.`,unit:`m`,step:.01,commit:e=>u=e});return p.show(i),m.show(r),h.show(a),_.show(c),v.show(l),y.show(u),{element:s(`div`,null,f.element,p.element,s(`div`,{class:`row wrap`},s(`span`,{class:`field-label`},`Direction`),m.element,g.element),s(`details`,{class:`more`},s(`summary`,{help:`Axes, times and point of application.`},`More`),h.element,s(`div`,{class:`two`},_.element,v.element),y.element),q(`Apply`,`Adds the force. It acts in live runs and in motions that are computed afterwards.`,()=>{let t=U(e),s=[0,0,0];t&&(s[`xyz`.indexOf(r)]=i,e.run(`apply_force`,{figure:t.figure.figure,link:n||t.link.name,vector:s,axes:a,point:u,moment:o,start:c,end:l}))},`primary wide`,`Apply the force`)),show:e=>{e&&((d!==e.number||!n)&&(n=e.link.name),d=e.number,f.show(n))}}}function Zn(e,t){let{force:n,link:r,moment:i}=t,a=i?`N m`:`N`,o=s(`span`,{class:`spread`}),l=t.vector,u=e=>{let t=Math.hypot(...l)||1;return l.map(n=>n/t*e)},d=Be({label:`Size of the force on ${r}`,help:`Size of the force; a change acts at once in a live run.`,step:1,move:(t,r)=>r?void e.run(`change_force`,{force:n,vector:u(t),done:r}):e.connection.post(`change_force`,{force:n,vector:u(t),done:r})}),p=W(e,{label:`Force on ${r}`,face:``,help:`Size of the force.`,unit:a,step:5,commit:t=>t!==null&&void e.run(`change_force`,{force:n,vector:u(t)})});return{element:s(`div`,{class:`force-row`},s(`div`,{class:`row`},o,f(A.close,`Remove the force on ${r}`,`Removes this force.`,()=>void e.run(`remove_force`,{force:n}))),s(`div`,{class:`slider-row`},d.element,p.element)),show:e=>{let t=Math.hypot(...e.vector);t>0&&(l=e.vector);let n=e.vector.map((e,t)=>Math.abs(e)>1e-9?`${e<0?`−`:`+`}${`xyz`[t]}`:``).join(` `);c(o,s(`b`,null,r),` ${i?`moment`:`force`} ${n}${e.axes===`link`?` of the link`:``}`,s(`small`,{class:`quiet-text`},` ${e.start>0||e.end!==null?`${e.start}–${e.end??`…`} s`:`always`}`)),d.bounds(0,Math.max(500,2*t)),d.show(t),p.show(t)}}}var Qn=Math.PI/4;function $n(e){return s(`div`,{class:`live-panel`},tr(e),nr(e),rr(e),ir(e))}function er(e){return!!e&&e.state!==`stopped`}function tr(e){let t=`walk`,n=null,r=ze(`Live dynamics`,[[`walk`,`Walk`,`A human with a walking controller that keeps its balance.`],[`contact`,`Contact`,`Direct dynamics with contact: forces, springs and drives move the figures.`],[`direct`,`No contact`,`Direct dynamics without contact.`]],e=>r.show(t=n=e)),i=s(`p`,{class:`quiet-text live-words`,role:`status`}),a=q([d(A.live,!1,15),`Start`],`Starts a live simulation. Drag links, push the figure and change its numbers while it runs.`,()=>{let n=U(e),r=n?.project.gait.velocity;n&&e.run(`live_start`,{figure:n.figure.figure,dynamics:t,...r?{speed:r}:{},style:n.project.gait.style})},`primary`,`Start the live run`),o=q(`Pause`,`Pauses or continues the live run (Space).`,()=>void e.run(`live_pause`,{paused:e.store.get(`run`)?.state===`running`}),``,`Pause the live run`),c=q(`Stop`,`Ends the live run; its motion is kept.`,()=>void e.run(`live_stop`,{}),``,`Stop the live run`),l=Be({label:`Pace`,help:`Pace: simulated seconds per second of real time.`,step:.05,move:t=>e.store.get(`run`)&&e.connection.post(`live_pace`,{pace:t})});return l.bounds(.05,2),l.show(1),e.store.on(`run`,e=>{let n=er(e);a.hidden=n&&!e.fallen,a.lastChild.textContent=n?`Restart`:`Start`,o.hidden=!n||e.fallen,c.hidden=!n,o.textContent=e?.state===`paused`?`Continue`:`Pause`,n&&r.show(t=e.dynamics),n&&l.show(e.pace),i.textContent=n?`${e.state===`building`?`compiling …`:e.fallen?`fallen`:e.state} · ${e.time.toFixed(1)} s`:`No live run is in progress.`},!0),Ee(e,i=>{let a=i?.project.figures.find(({figure:e})=>e===i.figure.figure)?.can_walk??!1;r.element.querySelector(`[data-choice='walk']`).disabled=!a,er(e.store.get(`run`))||(t=n===null||n===`walk`&&!a?a?`walk`:`contact`:n),r.show(t)}),s(`div`,{class:`live-run`},r.element,s(`div`,{class:`row`},a,o,c,i),s(`div`,{class:`slider-row`},s(`span`,{class:`field-label`},`Pace`),l.element))}function nr(e){let t=t=>void e.run(`live_walk`,t),n=Be({label:`Speed`,help:`Walking speed.`,step:.05,move:(n,r)=>r?t({speed:n}):e.connection.post(`live_walk`,{speed:n})});n.bounds(.3,2.2);let r=W(e,{label:`Walking speed`,face:``,help:`Walking speed.`,unit:`m/s`,step:.1,min:0,max:3,commit:e=>e!==null&&t({speed:e})}),i=s(`div`),a=Xe(i,({styles:e})=>JSON.stringify(e),({styles:n,terrains:r})=>{let i=G({label:`Live style`,face:`Style`,help:`Walking style. The walker changes to it within one or two steps.`,choices:n,commit:e=>t({style:e})}),a=G({label:`Terrain`,help:`The ground. A change acts at once.`,choices:r,commit:t=>{let n=e.store.get(`project`);if(!n)return;let r={...n.world.ground,kind:t};e.run(`set_ground`,{ground:r})}});return{element:s(`div`,null,i.element,a.element),show:({run:e,ground:t})=>{e?.style&&i.show(e.style),a.show(t)}}}),o=s(`div`,{class:`walk-controls`},s(`div`,{class:`slider-row`},s(`span`,{class:`field-label`},`Speed`),n.element,r.element),i,s(`div`,{class:`row wrap`},q(`Turn left`,`Turns the walker 45° to the left.`,()=>t({turn:Qn}),`small`),q(`Turn right`,`Turns the walker 45° to the right.`,()=>t({turn:-Qn}),`small`),q(`Go`,`Makes the walker walk.`,()=>t({go:!0}),`small`,`Start walking`),q(`Stand`,`Makes the walker stop and stand.`,()=>t({go:!1}),`small`,`Stop walking`))),c=()=>{let t=e.store.get(`run`),i=e.store.get(`welcome`),s=e.store.get(`project`),c=er(t)&&t.dynamics===`walk`;for(let e of o.querySelectorAll(`button, input, [data-at='Live style']`))e.disabled=!c;c&&t.speed&&(n.show(t.speed),r.show(t.speed)),a({styles:(i?.styles??[]).map(({name:e})=>[e,e]),terrains:(i?.terrains??[]).map(({name:e})=>e),run:t,ground:s?.world.ground.kind??`flat`});let l=o.querySelector(`[data-at='Live style']`);l&&(l.disabled=!c)};for(let t of[`run`,`welcome`,`project`])e.store.on(t,c);return c(),Qe(`Walking`,`Commands of the walker: speed, style, direction, ground.`,!0,o)}function rr(e){let t=20,n=ze(`Pointer`,[[`look`,`Look`,`The pointer only moves the camera.`],[`hand`,`Hand`,`Drag a link; a spring pulls it to the pointer.`],[`impulse`,`Push`,`Click a link to apply an impulse to it.`]],t=>e.store.set(`tool`,t));e.store.on(`tool`,e=>n.show(e),!0);let r=W(e,{label:`Push`,help:`Impulse that the buttons below apply to the chosen link.`,unit:`N s`,step:5,min:0,commit:e=>t=e??t});r.show(t);let i=(n,r)=>{let i=U(e),a=e.store.get(`run`);if(!i||!er(a))return e.notify({tone:`info`,text:`No live run is in progress. Start one first.`});let o=i.link.centre??[0,0,0];e.run(`impulse`,{figure:i.figure.figure,link:i.link.name,point:o,impulse:[n*t,r*t,0]})},a=s(`span`,{class:`quiet-text`});return Ee(e,e=>a.textContent=e?`on ${e.link.name}`:``),Qe(`Push`,`Push the figure in a live run.`,!0,n.element,s(`div`,{class:`row`},r.element,a),s(`div`,{class:`row wrap`},q(`Forwards`,`Impulse along +x.`,()=>i(1,0),`small`,`Push forwards`),q(`Back`,`Impulse along −x.`,()=>i(-1,0),`small`,`Push back`),q(`Left`,`Impulse along +y.`,()=>i(0,1),`small`,`Push left`),q(`Right`,`Impulse along −y.`,()=>i(0,-1),`small`,`Push right`)))}function ir(e){let t=s(`div`,{class:`numbers`}),n=s(`input`,{type:`search`,placeholder:`Search: mass, knee, gain …`,"aria-label":`Search numbers`,help:`Shows only numbers whose name contains this text.`}),r=[],i=(e,t)=>r=r.map(n=>n.slot===e?{...n,value:t}:n),a=Xe(t,({now:e,slots:t})=>JSON.stringify([e?.figure.figure,t.map(({slot:e})=>e)]),({now:t,slots:n})=>{let r=n.map(n=>ar(e,t.figure.figure,n,i));return{element:s(`div`,null,r.map(({element:e})=>e),!r.length&&s(`p`,{class:`quiet-text`},`No number matches the search.`)),show:({slots:e})=>r.forEach((t,n)=>t.show(e[n]))}}),o=()=>{let t=U(e),i=n.value.toLowerCase().split(/\s+/).filter(Boolean),o=e.store.get(`run`),s=t?[...er(o)&&o.dynamics===`walk`?r:[],...t.figure.numbers]:[],c=i.length?s.filter(({slot:e})=>i.every(t=>e.toLowerCase().includes(t))):s.filter(({slot:e})=>e.startsWith(`gain:`)||t&&(e.startsWith(`${t.link.name}.`)||e.startsWith(`${t.joint.name}.`)));a({now:t,slots:c.slice(0,60)})};e.store.on(`welcome`,e=>(r=e?.gains??[],o()),!0),Ee(e,o);let l=!1;e.store.on(`run`,e=>{let t=er(e)&&e.dynamics===`walk`;t!==l&&(l=t,o())}),n.addEventListener(`input`,o);let u=Qe(`Numbers`,`Masses, springs, dampers and gains of the chosen link, or those found by the search. They act at once in a live run.`,!1,n,t);return c(u.querySelector(`.part-content`),n,t),u}function ar(e,t,{slot:n,least:r,most:i,unit:a},o){let c=n.replace(`gain:`,`gain `).replaceAll(`_`,` `),l=(r,i)=>i?void e.run(`set_number`,{figure:t,slot:n,value:r,done:i}):e.connection.post(`set_number`,{figure:t,slot:n,value:r,done:i}),u=Be({label:n,help:`${c}. A change acts at once in a live run.`,move:(e,t)=>(o(n,e),d.show(e),l(e,t))}),d=W(e,{label:`${n} value`,face:``,help:c,unit:a,commit:e=>e!==null&&(o(n,e),u.show(e),l(e,!0))});return u.bounds(r,i),{element:s(`div`,{class:`number-row`},s(`span`,{class:`field-label`},c),s(`div`,{class:`slider-row`},u.element,d.element)),show:e=>{u.bounds(Math.min(e.least,e.value),Math.max(e.most,e.value)),u.show(e.value),d.show(e.value)}}}function or(e,t){let n=s(`div`),r=s(`div`),i=`joint`,a=ze(`Joints`,[[`joint`,`Chosen joint`,`All settings of the joint of the chosen link.`],[`all`,`All joints`,`A slider for every degree of freedom, to pose the figure.`]],t=>{i=t,a.show(i),l(U(e))});a.show(i);let o=Xe(r,e=>e?JSON.stringify([e.figure.figure,z(e.document).map(({joint:e})=>e.name)]):``,t=>t?cr(e,t):{element:s(`p`,{class:`quiet-text`},`No figure is open. Open or build one to see its degrees of freedom.`),show:()=>void 0}),c=Xe(n,e=>sr(e,i),n=>n?i===`all`?ur(e,n,t):lr(e,n,t):{element:s(`div`),show:()=>void 0}),l=e=>{o(e),c(e)};return Ee(e,l),s(`div`,{class:`dof-window`},a.element,r,n)}function sr(e,t){if(!e)return``;let n=t===`all`?e.figure.dofs:B(e.figure,e.joint.name);return JSON.stringify([t,e.figure.figure,t===`all`?``:[e.joint.name,e.joint.type,e.joint.order,e.link.name],n.map(({name:e,locked:t,unit:n})=>[e,t,n])])}function cr(e,t){let n=z(t.document),r=n.map(({joint:e})=>e.name),i=t=>{let n=U(e),r=n?.document.joint.find(e=>e.name===t)?.child;n&&r&&ke(e,n.figure,r)},a=t=>{let n=U(e);n&&i(r[(r.indexOf(n.joint.name)+t+r.length)%r.length])},o=G({label:`Joint`,face:``,help:`The joint whose degrees of freedom are shown. You can also click a link on the stage.`,choices:n.map(({joint:e,depth:t})=>[e.name,`${` `.repeat(Math.min(t,6))}${e.name}`]),commit:i});return{element:s(`div`,{class:`row joint-chooser`},f(A.back,`Previous joint`,`Goes to the previous joint of the tree.`,()=>a(-1)),o.element,f(A.forward,`Next joint`,`Goes to the next joint of the tree.`,()=>a(1))),show:e=>e&&o.show(e.joint.name)}}function lr(e,t,n){let{figure:r,joint:i,link:a}=t,{figure:o}=r,c=B(r,i.name),l=c.map(t=>kt(e,o,t,!0,n)),u=V(i)?G({label:`Rotation order`,help:`The order of the three rotations; the pose is kept. A ball joint becomes an Euler joint.`,choices:[...i.type===`euler`?[]:[[``,`${i.type}: no order`]],...(e.store.get(`welcome`)?.orders??[]).map(e=>[e,e.toUpperCase().split(``).join(`-`)])],commit:t=>t&&void e.run(`set_rotation_order`,{figure:o,joint:i.name,order:t})}):null,d=c.length?jt(e,o,i.name):null;return{element:s(`div`,null,s(`p`,{class:`quiet-text joint-words`},`${i.type} joint, ${i.parent?`${i.parent} → ${a.name}`:`world → ${a.name}`}, ${(a.mass??0).toFixed(2)} kg`),s(`div`,{class:`row wrap`},u?.element,d?.element),l.map(({element:e})=>e),!c.length&&s(`p`,{class:`quiet-text`},`This joint has no degree of freedom: the link is fixed to its parent.`),s(`div`,{class:`row wrap`},q(`Reset pose`,`Resets the initial state of this figure to its neutral pose and zero velocity.`,()=>void e.run(`set_initial_state`,{figure:o,rest:!0}),`small`))),show:e=>{if(!e)return;let t=B(e.figure,i.name);u?.show(e.joint.order??``),d?.show(t.length>0&&t.every(({locked:e})=>e)),l.forEach((e,n)=>t[n]&&e.show(t[n]))}}}function ur(e,t,n){let{figure:r}=t.figure,i=new Map(t.figure.dofs.map(t=>[t.name,kt(e,r,t,!1,n)]));return{element:s(`div`,{class:`all-joints`},z(t.document).map(({name:n,joint:r})=>{let a=B(t.figure,r.name);return a.length?s(`div`,{class:`joint-group`},s(`button`,{type:`button`,class:`quiet small joint-name`,help:`Shows all settings of joint ${r.name}.`,onclick:()=>{let t=U(e);t&&R(t.document,n)&&ke(e,t.figure,n)}},r.name),a.map(e=>i.get(e.name).element)):null})),show:e=>e?.figure.dofs.forEach(e=>i.get(e.name)?.show(e))}}var dr=[[`velocity`,`Velocity`,`m/s`,`Average speed.`,.1],[`step_length`,`Step length`,`m`,`Distance between successive strikes of the left and the right foot.`,.05],[`step_frequency`,`Step frequency`,`/min`,`Steps per minute, at most 182 in walking.`,5]],fr={pelvic_rotation:[`Pelvic rotation`,`Rotation of the pelvis about the vertical, largest at foot contact.`],pelvic_tilt:[`Pelvic tilt`,`Drop of the pelvis on the swing side, largest at mid-step.`],stance_knee:[`Knee in stance`,`Flexion and extension of the loaded knee (double knee lock).`],foot_ankle:[`Foot and ankle`,`Rotation of the foot about the heel, then about the forefoot.`],swing_knee:[`Knee in swing`,`Knee flexion that lifts the foot off the ground.`],lateral:[`Lateral`,`Displacement of the body towards the supporting leg.`]};function pr(e){let t=()=>e.store.get(`project`)?.gait,n=t=>void e.run(`set_gait`,t),r=W(e,{label:`Number of steps`,face:`Steps`,help:`Number of steps.`,min:1,max:500,step:1,commit:e=>n({steps:Math.round(e??8)})}),i=ze(`Gait kind`,[[`walk`,`walk`,`A walk: at least one foot is always on the ground.`],[`run`,`run`,`A run: it has a flight phase.`]],e=>n({gait:e})),a=G({label:`Start`,face:``,help:`Whether the figure starts from walking or from standing.`,choices:[[`walk`,`from walking`],[`stand`,`from standing`]],commit:e=>n({start:e})}),o=G({label:`Method`,face:``,help:`Method. Walker: a controller keeps the simulated human in balance. HIDDS: planned steps, forces by inverse dynamics, then motion by direct dynamics.`,choices:[[``,`automatic`],[`walker`,`walker`],[`hidds`,`HIDDS`]],commit:e=>n(e?{method:e}:{clear:[`method`]})}),l=dr.map(([t,r,i,a,o])=>({key:t,field:W(e,{label:r,help:`${a} Give one or two of velocity, step length and step frequency. An empty field is computed from the others.`,unit:i,step:o,min:.01,empty:`computed`,commit:e=>e===null?n({clear:[t]}):d(t,e)})})),u=[],d=(e,r)=>{let i=t();u.splice(0,u.length,...u.filter(t=>t!==e&&i?.[t]!==null),e);let a=dr.map(([e])=>e).filter(t=>t!==e&&i&&i[t]!==null),o=a.length===2?u.find(t=>t!==e)??a[0]:null;n({[e]:r,...o?{clear:[o]}:{}})},f=s(`p`,{class:`plan number`,role:`status`}),p=s(`div`),m=gr(e),h=je(()=>void hr(e,l,f));return e.store.on(`project`,()=>{let e=t();if(e){r.show(e.steps),i.show(e.kind),a.show(e.start),o.show(e.method);for(let{key:t,field:n}of l)n.show(e[t]);c(p,e.words&&s(`p`,{class:`hint`},`The words of level 1 are used instead of these numbers. `,q(`Use numbers`,`Clears the words of level 1.`,()=>n({clear:[`words`]}),`small`))),m.show(e),h()}},!0),e.store.on(`selection`,h),s(`div`,{class:`level-content`},p,s(`div`,{class:`gait-row`},i.element,r.element,a.element,o.element),s(`div`,{class:`given`},l.map(({field:e})=>e.element)),f,m.element)}var mr=``;async function hr(e,t,n){let r=U(e),i=r?.project.gait;if(!r||!i)return;let{velocity:a,step_length:o,step_frequency:s}=i,c=JSON.stringify([r.figure.figure,r.figure.revision,a,o,s,i.kind]);if(c!==mr){mr=c;try{let c=await e.connection.send(`plan_gait`,{figure:r.figure.figure,velocity:a,step_length:o,step_frequency:s});for(let{key:e,field:n}of t)n.element.querySelector(`input`).placeholder=i[e]===null?c[e].toFixed(e===`step_frequency`?0:2):``;n.textContent=`${c.velocity.toFixed(2)} m/s = ${c.step_length.toFixed(2)} m × ${c.step_frequency.toFixed(0)}/min · cycle ${c.cycle.toFixed(2)} s, double support ${c.double_support.toFixed(3)} s, swing ${c.swing.toFixed(3)} s, stance ${c.stance_percent.toFixed(0)} %${c.running?` · running`:``}`,n.classList.remove(`field-error`)}catch(e){n.textContent=e.message,n.classList.add(`field-error`)}}}function gr(e){let t=s(`div`,{class:`determinants`}),n=()=>e.store.get(`welcome`)?.determinants??{},r=t=>e.store.get(`project`)?.gait.determinants[t]??n()[t],i=[],a=(t,n)=>void e.run(`set_gait`,{determinants:{...e.store.get(`project`).gait.determinants,[t]:{...r(t),...n}}}),o=()=>{i=Object.keys(n()).map(t=>{let[n,r]=fr[t]??[t,t],i=t===`lateral`,o=i?100:Me,s=(r,i,o)=>[W(e,{label:`${n} ${r}`,face:``,help:i,scale:o,step:r===`timing`?.01:1,commit:e=>e!==null&&a(t,{[r]:e})}),r];return{name:t,tick:K({label:`${n} on`,face:n,help:`${r} Switches it on or off.`,commit:e=>a(t,{on:e})}),fields:[s(`amplitude`,`Amplitude [${i?`cm`:`°`}].`,o),s(`lower`,`Lower limit [${i?`cm`:`°`}].`,o),s(`upper`,`Upper limit [${i?`cm`:`°`}].`,o),s(`timing`,`Delay [gait cycles].`,1)]}}),c(t,s(`table`,{class:`determinant-table`},s(`thead`,null,s(`tr`,null,[`Determinant`,`amplitude`,`from`,`to`,`delay`].map(e=>s(`th`,null,e)))),s(`tbody`,null,i.map(({tick:e,fields:t})=>s(`tr`,null,s(`th`,null,e.element),t.map(([e])=>s(`td`,null,e.element)))))),q(`Default determinants`,`Resets all six determinants to their defaults. Then styles have an effect again.`,()=>void e.run(`set_gait`,{clear:[`determinants`]}),`quiet small`))};e.store.on(`welcome`,t=>{t&&(o(),l(e.store.get(`project`)?.gait))},!0);let l=e=>{if(e)for(let{name:e,tick:t,fields:n}of i){let i=r(e);t.show(i.on);for(let[e,t]of n)e.show(i[t])}};return{element:t,show:l}}function _r(e){let t=null,n=``,r=.05,i=1,a=new Map,o=-1,l=s(`div`),u=s(`p`,{class:`quiet-text`}),d=new In(e,{label:`Torque profile`,fixedTimes:!0,help:`The torque of one degree of freedom over time. Drag a point to move it; neighbours within the width follow. Arrow keys move the chosen point.`,change:r=>t===null||!n?Promise.resolve():e.run(`set_profile`,{motion:t,profile:{dof:n,times:r.map(([e])=>e),values:r.map(([,e])=>e)}}),refresh:()=>S(),choose:e=>f.show(e===null?null:d.points[e][1])});d.soft=.12;let f=W(e,{label:`Torque at the point`,face:`Point`,help:`Torque at the chosen point.`,unit:`N m`,step:1,empty:`–`,commit:e=>{let t=d.chosen;t!==null&&e!==null&&d.put(t,[d.points[t][0],e],!0)}}),p=W(e,{label:`Width`,help:`Range of time within which neighbouring points follow a dragged point.`,unit:`s`,min:0,max:2,step:.02,commit:e=>d.soft=e??0}),m=W(e,{label:`Spacing`,help:`Time between two points of new profiles.`,unit:`s`,min:.005,max:1,step:.01,commit:e=>r=e??r}),h=W(e,{label:`Hold`,help:`Factor of the feedback gains that hold the figure near the original motion. 1 is the default. With 0 the torques act alone, and the motion soon drifts away.`,min:0,max:100,step:.1,commit:e=>i=e??i});h.show(i),p.show(d.soft),m.show(r);let g=()=>t!==null&&void e.run(`take_profiles`,{motion:t,spacing:r}).then(e=>{e&&(a=new Map(e.profiles.map(e=>[e.dof,e])),o=e.motion,S())}),_=()=>t===null?[]:e.store.get(`project`)?.profiles[String(t)]??[],v=()=>t!==null&&void e.run(`run_profiles`,{motion:t,hold:i}),y=q(`Get profiles`,`Converts the joint torques of this motion to curves that can be edited.`,()=>void g(),`small`),b=q(`Run again`,`Simulates the motion again with the edited torques and shows it. The original motion is kept.`,()=>void v(),`primary small`),x=Xe(l,({motions:e,profiles:t})=>JSON.stringify([e.map(({motion:e})=>e),t.map(e=>e.dof)]),({motions:e,profiles:r})=>{let i=G({label:`Motion of the profiles`,face:`Motion`,help:`The motion to edit. It must contain joint torques, like motions of HYBRID Dynamics and walks.`,choices:e.map(e=>[String(e.motion),e.title]),commit:e=>(t=Number(e),S())}),a=G({label:`Torque of`,help:`The degree of freedom whose torque is shown.`,choices:r.map(e=>e.dof).sort(),commit:e=>(n=e,d.choose(null),S())});return{element:s(`div`,{class:`row wrap`},i.element,r.length>0&&a.element,y),show:e=>{i.show(String(e.motion??``)),a.show(n)}}}),S=()=>{let r=e.store.get(`project`);if(!r)return;let i=vr(r);i.some(e=>e.motion===t)||(t=(i.find(e=>e.motion===r.shown)??i[i.length-1])?.motion??null);let s=_();s.some(e=>e.dof===n)||(n=s.find(e=>/knee/.test(e.dof))?.dof??s.find(e=>!e.dof.startsWith(`root`))?.dof??s[0]?.dof??``),x({motions:i,motion:t,profiles:s});let l=s.find(e=>e.dof===n),f=o===t?a.get(n):void 0;d.show({points:yr(l),unit:`N m`,ghost:f?yr(f):null}),y.disabled=t===null,b.disabled=!s.length,d.element.hidden=!s.length,c(u,t===null?`No motion has joint torques yet. Run HYBRID Dynamics or a walk first.`:s.length?``:`Press Get profiles to edit the torques of this motion.`),u.hidden=s.length>0};return e.store.on(`project`,S,!0),s(`div`,{class:`level-content profiles`},l,u,d.element,s(`div`,{class:`row wrap`},f.element,p.element,m.element,h.element,s(`div`,{class:`spread`}),b))}function vr(e){return e.motions.filter(({has_forces:e})=>e)}function yr(e){return e?e.times.map((t,n)=>[t,e.values[n]]):[]}var br=250,xr=[`walk happily`,`walk tired 3 s; stop`,`stand 1 s; walk; turn left; walk vigorously`,`walk at 1.6 m/s; turn right 45 degrees; stop`];function Sr(e){let t=s(`textarea`,{class:`words`,rows:2,spellcheck:!1,"aria-label":`Words`,placeholder:`walk happily; turn left; stop`,help:`A script in everyday words; separate its commands by ';'. If it is empty, the style below and the numbers of level 2 are used.`}),n=s(`pre`,{class:`explained`,role:`status`}),r=s(`div`,{class:`chips`,role:`group`,"aria-label":`Style`}),i=s(`p`,{class:`quiet-text small-text`}),a=0,o=()=>{clearTimeout(a),a=window.setTimeout(async()=>{let r=t.value.trim()||e.store.get(`project`)?.gait.style||`natural`,i=await e.connection.send(`explain_words`,{words:r}).catch(()=>null);i&&(n.textContent=i.lines.join(`
`),n.classList.toggle(`field-error`,!i.ok),t.setAttribute(`aria-invalid`,String(!i.ok)))},br)};t.addEventListener(`input`,o),t.addEventListener(`change`,()=>void e.run(`set_gait`,t.value.trim()?{words:t.value.trim()}:{clear:[`words`]})),t.addEventListener(`keydown`,e=>e.stopPropagation());let l=()=>{let n=e.store.get(`project`)?.gait,a=e.store.get(`welcome`)?.styles??[];c(r,a.map(({name:t,words:r})=>s(`button`,{type:`button`,class:`chip`,help:r,"aria-pressed":String(!n?.words&&n?.style===t),dataset:{style:t},onclick:()=>void e.run(`set_gait`,{style:t,clear:[`words`]})},t)));let l=n&&!n.words&&(n.step_length!==null||n.step_frequency!==null||Object.keys(n.determinants).length>0||n.method===`hidds`);i.textContent=l?`Styles have no effect if step length, step frequency, determinants or HIDDS are set in level 2.`:a.find(({name:e})=>e===n?.style)?.words??``,i.classList.toggle(`hint`,!!l),document.activeElement!==t&&t.value!==(n?.words??``)&&(t.value=n?.words??``),o()},u=``,d=()=>{let t=JSON.stringify([e.store.get(`project`)?.gait,e.store.get(`welcome`)?.styles.length]);t!==u&&(u=t,l())};e.store.on(`project`,d),e.store.on(`welcome`,d),d();let f=s(`details`,{class:`more`},s(`summary`,{help:`Example scripts.`},`Example scripts`),xr.map(n=>q(n,`Uses this script.`,()=>{t.value=n,e.run(`set_gait`,{words:n})},`quiet small phrase`)));return s(`div`,{class:`level-content`},t,s(`h4`,null,`Style`),r,i,n,f)}function Cr(e){let t=(e,t,n,r)=>s(`section`,{class:`level`,"aria-label":t},s(`header`,null,s(`span`,{class:`level-number`},e),s(`h3`,null,t),s(`small`,{class:`quiet-text`},n)),r),n=s(`div`,{class:`levels`},t(`1`,`Words`,`style and coordination`,Sr(e)),t(`2`,`Numbers`,`steps and determinants`,pr(e)),t(`3`,`Torques`,`profiles over time`,_r(e))),r=()=>{let t=U(e);t?e.run(`walk`,{figure:t.figure.figure}):e.notify({tone:`info`,text:`No figure is open. Open a human first.`})};return e.shortcut(`shift+w`,`Walk with the settings of the gait panel`,r),{element:n,tools:[q(`Walk`,`Computes a walk with these settings and shows it (Shift W).`,r,`primary`)]}}var wr=[[`Build`,`Build a figure`,`Build Structure opens the figure editor. Start with New figure, which creates one link fixed to the world. To add a link, choose its parent in the tree, give it a name and a joint, and press Add.
To change the parent of a link, drag it onto another link in the tree, or click an empty cell of the table. Every edit can be undone.`],[`Build`,`Sizes, masses, joints`,`A link is a box that starts at its joint, with a density or a mass. Centre of mass and inertia tensor are computed, or you can type them. Invalid input turns red.
Each joint has a type, a position in its parent, limits, springs and dampers. A joint with three rotations has a rotation order.`],[`Commands`,`The nine commands`,`Build Structure, HYBRID Dynamics, Direct Dynamics – No Contact, Direct Contact Dynamics, Set View Point, Root Characteristics, Another Frame, Degrees of Freedom, Change Root. A click opens the settings of a command; the small arrow runs it at once. Computed motions appear in the list Motions; 'Initial pose' shows the figures without a motion.`],[`Commands`,`Forces`,`Forces act on a link in a direction, in the axes of the world or of the link, from a start time to an end time. They act at once in live runs, and in motions that are computed afterwards.`],[`Gait`,`Three levels`,`Level 1 is words: a style or a script. Level 2 is numbers: one or two of velocity, step length and step frequency, and the six determinants of gait. Level 3 is the torque curves of a motion: edit them and simulate the motion again.`],[`Curves`,`Keys and control functions`,`A key sets values at a time; Interpolate computes the motion through all keys. A control function gives the position, velocity, acceleration or force of one degree of freedom over time, as points or as a formula of t.`],[`Studies`,`Watch and run a study`,`Studies (Shift S) shows sweeps, samples and searches of the workspace while they run, here or in another process: progress, a scatter plot, parallel coordinates, the best value so far, failures. Click a point to see its values. Drag on an axis of the parallel coordinates to select points.
Run imports and runs the Python code that the study file names. Run only files that you trust.`],[`Files`,`Open, save, export`,`Open reads figures (toml, URDF, MJCF), motions (npz, h5, BVH, CSV, TRC, MOT, C3D), scripts and projects from the workspace or from this computer. You can also drop a file on the page; hold Shift to add it to the project.
Unsaved work is kept on disk and can be recovered after a crash.`]];function Tr(e){for(let t of wr)e.explain(...t)}var Er=!0,Dr=`uplot`,Or=`u-hz`,kr=`u-vt`,Ar=`u-title`,jr=`u-wrap`,Mr=`u-under`,Nr=`u-over`,Pr=`u-axis`,Fr=`u-off`,Ir=`u-select`,Lr=`u-cursor-x`,Rr=`u-cursor-y`,zr=`u-cursor-pt`,Br=`u-legend`,Vr=`u-live`,Hr=`u-inline`,Ur=`u-series`,Wr=`u-marker`,Gr=`u-label`,Kr=`u-value`,qr=`width`,Jr=`height`,Yr=`top`,Xr=`bottom`,Zr=`left`,Qr=`right`,$r=`#000`,ei=`#0000`,ti=`mousemove`,ni=`mousedown`,ri=`mouseup`,ii=`mouseenter`,ai=`mouseleave`,oi=`dblclick`,si=`resize`,ci=`scroll`,li=`change`,ui=`dppxchange`,di=`--`,fi=typeof window<`u`,pi=fi?document:null,mi=fi?window:null,hi=fi?navigator:null,gi,_i;function vi(){let e=devicePixelRatio;gi!=e&&(gi=e,_i&&Ni(li,_i,vi),_i=matchMedia(`(min-resolution: ${gi-.001}dppx) and (max-resolution: ${gi+.001}dppx)`),Mi(li,_i,vi),mi.dispatchEvent(new CustomEvent(ui)))}function yi(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function bi(e,t){let n=e.classList;n.contains(t)&&n.remove(t)}function xi(e,t,n){e.style[t]=n+`px`}function Si(e,t,n,r){let i=pi.createElement(e);return t!=null&&yi(i,t),n?.insertBefore(i,r),i}function Ci(e,t){return Si(`div`,e,t)}var wi=new WeakMap;function Ti(e,t,n,r,i){let a=`translate(`+t+`px,`+n+`px)`;a!=wi.get(e)&&(e.style.transform=a,wi.set(e,a),t<0||n<0||t>r||n>i?yi(e,Fr):bi(e,Fr))}var Ei=new WeakMap;function Di(e,t,n){let r=t+n;r!=Ei.get(e)&&(Ei.set(e,r),e.style.background=t,e.style.borderColor=n)}var Oi=new WeakMap;function ki(e,t,n,r){let i=t+``+n;i!=Oi.get(e)&&(Oi.set(e,i),e.style.height=n+`px`,e.style.width=t+`px`,e.style.marginLeft=r?-t/2+`px`:0,e.style.marginTop=r?-n/2+`px`:0)}var Ai={passive:!0},ji={...Ai,capture:!0};function Mi(e,t,n,r){t.addEventListener(e,n,r?ji:Ai)}function Ni(e,t,n,r){t.removeEventListener(e,n,Ai)}fi&&vi();function Pi(e,t,n,r){let i;n||=0,r||=t.length-1;let a=r<=2147483647;for(;r-n>1;)i=a?n+r>>1:na((n+r)/2),t[i]<e?n=i:r=i;return e-t[n]<=t[r]-e?n:r}function Fi(e){return(t,n,r)=>{let i=-1,a=-1;for(let a=n;a<=r;a++)if(e(t[a])){i=a;break}for(let i=r;i>=n;i--)if(e(t[i])){a=i;break}return[i,a]}}var Ii=e=>e!=null,Li=e=>e!=null&&e>0,Ri=Fi(Ii),zi=Fi(Li);function Bi(e,t,n,r=0,i=!1){let a=i?zi:Ri,o=i?Li:Ii;[t,n]=a(e,t,n);let s=e[t],c=e[t];if(t>-1){if(r==1)s=e[t],c=e[n];else if(r==-1)s=e[n],c=e[t];else for(let r=t;r<=n;r++){let t=e[r];o(t)&&(t<s?s=t:t>c&&(c=t))}}return[s??pa,c??-pa]}function Vi(e,t,n,r){let i=ca(e),a=ca(t);e==t&&(i==-1?(e*=n,t/=n):(e/=n,t*=n));let o=n==10?la:ua,s=i==1?na:ia,c=a==1?ia:na,l=s(o(ta(e))),u=c(o(ta(t))),d=sa(n,l),f=sa(n,u);return n==10&&(l<0&&(d=ka(d,-l)),u<0&&(f=ka(f,-u))),r||n==2?(e=d*i,t=f*a):(e=Oa(e,d),t=Da(t,f)),[e,t]}function Hi(e,t,n,r){let i=Vi(e,t,n,r);return e==0&&(i[0]=0),t==0&&(i[1]=0),i}var Ui=.1,Wi={mode:3,pad:Ui},Gi={pad:0,soft:null,mode:0},Ki={min:Gi,max:Gi};function qi(e,t,n,r){return Ba(n)?Xi(e,t,n):(Gi.pad=n,Gi.soft=r?0:null,Gi.mode=r?3:0,Xi(e,t,Ki))}function Ji(e,t){return e??t}function Yi(e,t,n){for(t=Ji(t,0),n=Ji(n,e.length-1);t<=n;){if(e[t]!=null)return!0;t++}return!1}function Xi(e,t,n){let r=n.min,i=n.max,a=Ji(r.pad,0),o=Ji(i.pad,0),s=Ji(r.hard,-pa),c=Ji(i.hard,pa),l=Ji(r.soft,pa),u=Ji(i.soft,-pa),d=Ji(r.mode,0),f=Ji(i.mode,0),p=t-e,m=la(p),h=oa(ta(e),ta(t)),g=ta(la(h)-m);(p<1e-24||g>10)&&(p=0,(e==0||t==0)&&(p=1e-24,d==2&&l!=pa&&(a=0),f==2&&u!=-pa&&(o=0)));let _=p||h||1e3,v=sa(10,na(la(_))),y=ka(Oa(e-_*(p==0?e==0?.1:1:a),v/10),24),b=e>=l&&(d==1||d==3&&y<=l||d==2&&y>=l)?l:pa,x=oa(s,y<b&&e>=b?b:aa(b,y)),S=ka(Da(t+_*(p==0?t==0?.1:1:o),v/10),24),C=t<=u&&(f==1||f==3&&S>=u||f==2&&S<=u)?u:-pa,w=aa(c,S>C&&t<=C?C:oa(C,S));return x==w&&x==0&&(w=100),[x,w]}var Zi=new Intl.NumberFormat(fi?hi.language:`en-US`),Qi=e=>Zi.format(e),$i=Math,ea=$i.PI,ta=$i.abs,na=$i.floor,ra=$i.round,ia=$i.ceil,aa=$i.min,oa=$i.max,sa=$i.pow,ca=$i.sign,la=$i.log10,ua=$i.log2,da=(e,t=1)=>$i.sinh(e)*t,fa=(e,t=1)=>$i.asinh(e/t),pa=1/0;function ma(e){return(la((e^e>>31)-(e>>31))|0)+1}function ha(e,t,n){return aa(oa(e,t),n)}function ga(e){return typeof e==`function`}function _a(e){return ga(e)?e:()=>e}var va=()=>{},ya=e=>e,ba=(e,t)=>t,xa=e=>null,Sa=e=>!0,Ca=(e,t)=>e==t,wa=/\.\d*?(?=9{6,}|0{6,})/gm,Ta=e=>{if(La(e)||Aa.has(e))return e;let t=`${e}`,n=t.match(wa);if(n==null)return e;let r=n[0].length-1;if(t.indexOf(`e-`)!=-1){let[e,n]=t.split(`e`);return+`${Ta(e)}e${n}`}return ka(e,r)};function Ea(e,t){return Ta(ka(Ta(e/t))*t)}function Da(e,t){return Ta(ia(Ta(e/t))*t)}function Oa(e,t){return Ta(na(Ta(e/t))*t)}function ka(e,t=0){if(La(e))return e;let n=10**t;return ra(e*n*(1+2**-52))/n}var Aa=new Map;function ja(e){return((``+e).split(`.`)[1]||``).length}function Ma(e,t,n,r){let i=[],a=r.map(ja);for(let o=t;o<n;o++){let t=ta(o),n=ka(sa(e,o),t);for(let s=0;s<r.length;s++){let c=e==10?+`${r[s]}e${o}`:r[s]*n,l=(o>=0?0:t)+(o>=a[s]?0:a[s]),u=e==10?c:ka(c,l);i.push(u),Aa.set(u,l)}}return i}var Na={},Pa=[],Fa=[null,null],Ia=Array.isArray,La=Number.isInteger,Ra=e=>e===void 0;function za(e){return typeof e==`string`}function Ba(e){let t=!1;if(e!=null){let n=e.constructor;t=n==null||n==Object}return t}function Va(e){return typeof e==`object`&&!!e}var Ha=Object.getPrototypeOf(Uint8Array),Ua=`__proto__`;function Wa(e,t=Ba){let n;if(Ia(e)){let r=e.find(e=>e!=null);if(Ia(r)||t(r)){n=Array(e.length);for(let r=0;r<e.length;r++)n[r]=Wa(e[r],t)}else n=e.slice()}else if(e instanceof Ha)n=e.slice();else if(t(e)){n={};for(let r in e)r!=Ua&&(n[r]=Wa(e[r],t))}else n=e;return n}function Ga(e){let t=arguments;for(let n=1;n<t.length;n++){let r=t[n];for(let t in r)t!=Ua&&(Ba(e[t])?Ga(e[t],Wa(r[t])):e[t]=Wa(r[t]))}return e}var Ka=0,qa=1,Ja=2;function Ya(e,t,n){for(let r=0,i,a=-1;r<t.length;r++){let o=t[r];if(o>a){for(i=o-1;i>=0&&e[i]==null;)e[i--]=null;for(i=o+1;i<n&&e[i]==null;)e[a=i++]=null}}}function Xa(e,t){if($a(e)){let t=e[0].slice();for(let n=1;n<e.length;n++)t.push(...e[n].slice(1));return eo(t[0])||(t=Qa(t)),t}let n=new Set;for(let t=0;t<e.length;t++){let r=e[t][0],i=r.length;for(let e=0;e<i;e++)n.add(r[e])}let r=[Array.from(n).sort((e,t)=>e-t)],i=r[0].length,a=new Map;for(let e=0;e<i;e++)a.set(r[0][e],e);for(let n=0;n<e.length;n++){let o=e[n],s=o[0];for(let e=1;e<o.length;e++){let c=o[e],l=Array(i).fill(void 0),u=t?t[n][e]:qa,d=[];for(let e=0;e<c.length;e++){let t=c[e],n=a.get(s[e]);t===null?u!=Ka&&(l[n]=t,u==Ja&&d.push(n)):l[n]=t}Ya(l,d,i),r.push(l)}}return r}var Za=typeof queueMicrotask>`u`?e=>Promise.resolve().then(e):queueMicrotask;function Qa(e){let t=e[0],n=t.length,r=Array(n);for(let e=0;e<r.length;e++)r[e]=e;r.sort((e,n)=>t[e]-t[n]);let i=[];for(let t=0;t<e.length;t++){let a=e[t],o=Array(n);for(let e=0;e<n;e++)o[e]=a[r[e]];i.push(o)}return i}function $a(e){let t=e[0][0],n=t.length;for(let r=1;r<e.length;r++){let i=e[r][0];if(i.length!=n)return!1;if(i!=t){for(let e=0;e<n;e++)if(i[e]!=t[e])return!1}}return!0}function eo(e,t=100){let n=e.length;if(n<=1)return!0;let r=0,i=n-1;for(;r<=i&&e[r]==null;)r++;for(;i>=r&&e[i]==null;)i--;if(i<=r)return!0;let a=oa(1,na((i-r+1)/t));for(let t=e[r],n=r+a;n<=i;n+=a){let r=e[n];if(r!=null){if(r<=t)return!1;t=r}}return!0}var to=[`January`,`February`,`March`,`April`,`May`,`June`,`July`,`August`,`September`,`October`,`November`,`December`],no=[`Sunday`,`Monday`,`Tuesday`,`Wednesday`,`Thursday`,`Friday`,`Saturday`];function ro(e){return e.slice(0,3)}var io=no.map(ro),ao={MMMM:to,MMM:to.map(ro),WWWW:no,WWW:io};function oo(e){return(e<10?`0`:``)+e}function so(e){return(e<10?`00`:e<100?`0`:``)+e}var co={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+``).slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>oo(e.getMonth()+1),M:e=>e.getMonth()+1,DD:e=>oo(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>oo(e.getHours()),H:e=>e.getHours(),h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?`PM`:`AM`,aa:e=>e.getHours()>=12?`pm`:`am`,a:e=>e.getHours()>=12?`p`:`a`,mm:e=>oo(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>oo(e.getSeconds()),s:e=>e.getSeconds(),fff:e=>so(e.getMilliseconds())};function lo(e,t){t||=ao;let n=[],r=/\{([a-z]+)\}|[^{]+/gi,i;for(;i=r.exec(e);)n.push(i[0][0]==`{`?co[i[1]]:i[0]);return e=>{let r=``;for(let i=0;i<n.length;i++)r+=typeof n[i]==`string`?n[i]:n[i](e,t);return r}}var uo=new Intl.DateTimeFormat().resolvedOptions().timeZone;function fo(e,t){let n;return t==`UTC`||t==`Etc/UTC`?n=new Date(+e+e.getTimezoneOffset()*6e4):t==uo?n=e:(n=new Date(e.toLocaleString(`en-US`,{timeZone:t})),n.setMilliseconds(e.getMilliseconds())),n}var po=e=>e%1==0,mo=[1,2,2.5,5],ho=Ma(10,-32,0,mo),go=Ma(10,0,32,mo),_o=go.filter(po),vo=ho.concat(go),yo=`
`,bo=`{YYYY}`,xo=yo+bo,So=`{M}/{D}`,Co=yo+So,wo=Co+`/{YY}`,To=`{aa}`,Eo=`{h}:{mm}`+To,Do=yo+Eo,Oo=`:{ss}`,ko=null;function Ao(e){let t=e*1e3,n=t*60,r=n*60,i=r*24,a=i*30,o=i*365,s=(e==1?Ma(10,0,3,mo).filter(po):Ma(10,-3,0,mo)).concat([t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,r,r*2,r*3,r*4,r*6,r*8,r*12,i,i*2,i*3,i*4,i*5,i*6,i*7,i*8,i*9,i*10,i*15,a,a*2,a*3,a*4,a*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),c=[[o,bo,ko,ko,ko,ko,ko,ko,1],[i*28,`{MMM}`,xo,ko,ko,ko,ko,ko,1],[i,So,xo,ko,ko,ko,ko,ko,1],[r,`{h}`+To,wo,ko,Co,ko,ko,ko,1],[n,Eo,wo,ko,Co,ko,ko,ko,1],[t,Oo,wo+` `+Eo,ko,Co+` `+Eo,ko,Do,ko,1],[e,Oo+`.{fff}`,wo+` `+Eo,ko,Co+` `+Eo,ko,Do,ko,1]];function l(t){return(s,c,l,u,d,f)=>{let p=[],m=d>=o,h=d>=a&&d<o,g=t(l),_=ka(g*e,3),v=Bo(g.getFullYear(),m?0:g.getMonth(),h||m?1:g.getDate()),y=ka(v*e,3);if(h||m){let n=h?d/a:0,r=m?d/o:0,i=_==y?_:ka(Bo(v.getFullYear()+r,v.getMonth()+n,1)*e,3),s=new Date(ra(i/e)),c=s.getFullYear(),l=s.getMonth();for(let a=0;i<=u;a++){let o=Bo(c+r*a,l+n*a,1),s=o-t(ka(o*e,3));i=ka((+o+s)*e,3),i<=u&&p.push(i)}}else{let a=d>=i?i:d,o=y+(na(l)-na(_))+Da(_-y,a);p.push(o);let m=t(o),h=m.getHours()+m.getMinutes()/n+m.getSeconds()/r,g=d/r,v=f/s.axes[c]._space;for(;o=ka(o+d,e==1?0:3),!(o>u);)if(g>1){let e=na(ka(h+g,6))%24,n=t(o).getHours()-e;n>1&&(n=-1),o-=n*r,h=(h+g)%24;let i=p[p.length-1];ka((o-i)/d,3)*v>=.7&&p.push(o)}else p.push(o)}return p}}return[s,c,l]}var[jo,Mo,No]=Ao(1),[Po,Fo,Io]=Ao(.001);Ma(2,-53,53,[1]);function Lo(e,t){return e.map(e=>e.map((n,r)=>r==0||r==8||n==null?n:t(r==1||e[8]==0?n:e[1]+n)))}function Ro(e,t){return(n,r,i,a,o)=>{let s=t.find(e=>o>=e[0])||t[t.length-1],c,l,u,d,f,p;return r.map(t=>{let n=e(t),r=n.getFullYear(),i=n.getMonth(),a=n.getDate(),o=n.getHours(),m=n.getMinutes(),h=n.getSeconds(),g=r!=c&&s[2]||i!=l&&s[3]||a!=u&&s[4]||o!=d&&s[5]||m!=f&&s[6]||h!=p&&s[7]||s[1];return c=r,l=i,u=a,d=o,f=m,p=h,g(n)})}}function zo(e,t){let n=lo(t);return(t,r,i,a,o)=>r.map(t=>n(e(t)))}function Bo(e,t,n){return new Date(e,t,n)}function Vo(e,t){return t(e)}var Ho=`{YYYY}-{MM}-{DD} {h}:{mm}{aa}`;function Uo(e,t){return(n,r,i,a)=>a==null?di:t(e(r))}function Wo(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.width?n.points.stroke(e,t):null}function Go(e,t){return e.series[t].fill(e,t)}var Ko={show:!0,live:!0,isolate:!1,mount:va,markers:{show:!0,width:2,stroke:Wo,fill:Go,dash:`solid`},idx:null,idxs:null,values:[]};function qo(e,t){let n=e.cursor.points,r=Ci(),i=n.size(e,t);xi(r,qr,i),xi(r,Jr,i);let a=i/-2;xi(r,`marginLeft`,a),xi(r,`marginTop`,a);let o=n.width(e,t,i);return o&&xi(r,`borderWidth`,o),r}function Jo(e,t){let n=e.series[t].points;return n._fill||n._stroke}function Yo(e,t){let n=e.series[t].points;return n._stroke||n._fill}function Xo(e,t){return e.series[t].points.size}var Zo=[0,0];function Qo(e,t,n){return Zo[0]=t,Zo[1]=n,Zo}function $o(e,t,n,r=!0){return e=>{e.button==0&&(!r||e.target==t)&&n(e)}}function es(e,t,n,r=!0){return e=>{(!r||e.target==t)&&n(e)}}var ts={show:!0,x:!0,y:!0,lock:!1,move:Qo,points:{one:!1,show:qo,size:Xo,width:0,stroke:Yo,fill:Jo},bind:{mousedown:$o,mouseup:$o,click:$o,dblclick:$o,mousemove:es,mouseleave:es,mouseenter:es},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,n,r,i)=>r-i,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},ns={show:!0,stroke:`rgba(0,0,0,0.07)`,width:2},rs=Ga({},ns,{filter:ba}),is=Ga({},rs,{size:10}),as=Ga({},ns,{show:!1}),os=`12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"`,ss=`bold `+os,cs=1.5,ls={show:!0,scale:`x`,stroke:$r,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:ss,side:2,grid:rs,ticks:is,border:as,font:os,lineGap:cs,rotate:0},us=`Value`,ds=`Time`,fs={show:!0,scale:`x`,auto:!1,sorted:1,min:pa,max:-1/0,idxs:[]};function ps(e,t,n,r,i){return t.map(e=>e==null?``:Qi(e))}function ms(e,t,n,r,i,a,o){let s=[],c=Aa.get(i)||0;n=o?n:ka(Da(n,i),c);for(let e=n;e<=r;e=ka(e+i,c))s.push(Object.is(e,-0)?0:e);return s}function hs(e,t,n,r,i,a,o){let s=[],c=e.scales[e.axes[t].scale].log;i=sa(c,na((c==10?la:ua)(n))),c==10&&(i=vo[Pi(i,vo)]);let l=n,u=i*c;c==10&&(u=vo[Pi(u,vo)]);do s.push(l),l+=i,c==10&&!Aa.has(l)&&(l=ka(l,Aa.get(i))),l>=u&&(i=l,u=i*c,c==10&&(u=vo[Pi(u,vo)]));while(l<=r);return s}function gs(e,t,n,r,i,a,o){let s=e.scales[e.axes[t].scale].asinh,c=r>s?hs(e,t,oa(s,n),r,i):[s],l=r>=0&&n<=0?[0]:[];return(n<-s?hs(e,t,oa(s,-r),-n,i):[s]).reverse().map(e=>-e).concat(l,c)}var _s=/./,vs=/[12357]/,ys=/[125]/,bs=/1/,xs=(e,t,n,r)=>e.map((e,i)=>t==4&&e==0||i%r==0&&n.test(e.toExponential()[+(e<0)])?e:null);function Ss(e,t,n,r,i){let a=e.axes[n],o=a.scale,s=e.scales[o],c=e.valToPos,l=a._space,u=c(10,o),d=c(9,o)-u>=l?_s:c(7,o)-u>=l?vs:c(5,o)-u>=l?ys:bs;if(d==bs){let e=ta(c(1,o)-u);if(e<l)return xs(t.slice().reverse(),s.distr,d,ia(l/e)).reverse()}return xs(t,s.distr,d,1)}function Cs(e,t,n,r,i){let a=e.axes[n],o=a.scale,s=a._space,c=e.valToPos,l=ta(c(1,o)-c(2,o));return l<s?xs(t.slice().reverse(),3,_s,ia(s/l)).reverse():t}function ws(e,t,n,r){return r==null?di:t==null?``:Qi(t)}var Ts={show:!0,scale:`y`,stroke:$r,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:ss,side:3,grid:rs,ticks:is,border:as,font:os,lineGap:cs,rotate:0};function Es(e,t){return ka((3+(e||1)*2)*t,3)}function Ds(e,t){let{scale:n,idxs:r}=e.series[0],i=e._data[0],a=e.valToPos(i[r[0]],n,!0),o=ta(e.valToPos(i[r[1]],n,!0)-a)/(e.series[t].points.space*gi);return r[1]-r[0]<=o}var Os={scale:null,auto:!0,sorted:0,min:pa,max:-1/0},ks=(e,t,n,r,i)=>i,As={show:!0,auto:!0,sorted:0,gaps:ks,alpha:1,facets:[Ga({},Os,{scale:`x`}),Ga({},Os,{scale:`y`})]},js={scale:`y`,auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:ks,alpha:1,points:{show:Ds,filter:null},values:null,min:pa,max:-1/0,idxs:[],path:null,clip:null};function Ms(e,t,n,r,i){return n/10}var Ns={time:Er,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Ps=Ga({},Ns,{time:!1,ori:1}),Fs={};function Is(e,t){let n=Fs[e];return n||(n={key:e,plots:[],sub(e){n.plots.push(e)},unsub(e){n.plots=n.plots.filter(t=>t!=e)},pub(e,t,r,i,a,o,s){for(let c=0;c<n.plots.length;c++)n.plots[c]!=t&&n.plots[c].pub(e,t,r,i,a,o,s)}},e!=null&&(Fs[e]=n)),n}var Ls=1,Rs=2;function zs(e,t,n){let r=e.mode,i=e.series[t],a=r==2?e._data[t]:e._data,o=e.scales,s=e.bbox,c=a[0],l=r==2?a[1]:a[t],u=r==2?o[i.facets[0].scale]:o[e.series[0].scale],d=r==2?o[i.facets[1].scale]:o[i.scale],f=s.left,p=s.top,m=s.width,h=s.height,g=e.valToPosH,_=e.valToPosV;return u.ori==0?n(i,c,l,u,d,g,_,f,p,m,h,Js,Xs,Qs,ec,nc):n(i,c,l,u,d,_,g,p,f,h,m,Ys,Zs,$s,tc,rc)}function Bs(e,t){let n=0,r=0,i=Ji(e.bands,Pa);for(let e=0;e<i.length;e++){let a=i[e];a.series[0]==t?n=a.dir:a.series[1]==t&&(a.dir==1?r|=1:r|=2)}return[n,r==1?-1:r==2?1:r==3?2:0]}function Vs(e,t,n,r,i){let a=e.mode,o=e.series[t],s=a==2?o.facets[1].scale:o.scale,c=e.scales[s];return i==-1?c.min:i==1?c.max:c.distr==3?c.dir==1?c.min:c.max:0}function Hs(e,t,n,r,i,a){return zs(e,t,(e,t,o,s,c,l,u,d,f,p,m)=>{let h=e.pxRound,g=s.dir*(s.ori==0?1:-1),_=s.ori==0?Xs:Zs,v,y;g==1?(v=n,y=r):(v=r,y=n);let b=h(l(t[v],s,p,d)),x=h(u(o[v],c,m,f)),S=h(l(t[y],s,p,d)),C=h(u(a==1?c.max:c.min,c,m,f)),w=new Path2D(i);return _(w,S,C),_(w,b,C),_(w,b,x),w})}function Us(e,t,n,r,i,a){let o=null;if(e.length>0){o=new Path2D;let s=t==0?Qs:$s,c=n;for(let t=0;t<e.length;t++){let n=e[t];if(n[1]>n[0]){let e=n[0]-c;e>0&&s(o,c,r,e,r+a),c=n[1]}}let l=n+i-c;l>0&&s(o,c,r-5,l,r+a+10)}return o}function Ws(e,t,n){let r=e[e.length-1];r&&r[0]==t?r[1]=n:e.push([t,n])}function Gs(e,t,n,r,i,a,o){let s=[],c=e.length;for(let l=i==1?n:r;l>=n&&l<=r;l+=i)if(t[l]===null){let u=l,d=l;if(i==1)for(;++l<=r&&t[l]===null;)d=l;else for(;--l>=n&&t[l]===null;)d=l;let f=a(e[u]),p=d==u?f:a(e[d]),m=u-i;f=o<=0&&m>=0&&m<c?a(e[m]):f;let h=d+i;p=o>=0&&h>=0&&h<c?a(e[h]):p,p>=f&&s.push([f,p])}return s}function Ks(e){return e==0?ya:e==1?ra:t=>Ea(t,e)}function qs(e){let t=e==0?Js:Ys,n=e==0?(e,t,n,r,i,a)=>{e.arcTo(t,n,r,i,a)}:(e,t,n,r,i,a)=>{e.arcTo(n,t,i,r,a)},r=e==0?(e,t,n,r,i)=>{e.rect(t,n,r,i)}:(e,t,n,r,i)=>{e.rect(n,t,i,r)};return(e,i,a,o,s,c=0,l=0)=>{c==0&&l==0?r(e,i,a,o,s):(c=aa(c,o/2,s/2),l=aa(l,o/2,s/2),t(e,i+c,a),n(e,i+o,a,i+o,a+s,c),n(e,i+o,a+s,i,a+s,l),n(e,i,a+s,i,a,l),n(e,i,a,i+o,a,c),e.closePath())}}var Js=(e,t,n)=>{e.moveTo(t,n)},Ys=(e,t,n)=>{e.moveTo(n,t)},Xs=(e,t,n)=>{e.lineTo(t,n)},Zs=(e,t,n)=>{e.lineTo(n,t)},Qs=qs(0),$s=qs(1),ec=(e,t,n,r,i,a)=>{e.arc(t,n,r,i,a)},tc=(e,t,n,r,i,a)=>{e.arc(n,t,r,i,a)},nc=(e,t,n,r,i,a,o)=>{e.bezierCurveTo(t,n,r,i,a,o)},rc=(e,t,n,r,i,a,o)=>{e.bezierCurveTo(n,t,i,r,o,a)};function ic(e){return(e,t,n,r,i)=>zs(e,t,(t,a,o,s,c,l,u,d,f,p,m)=>{let{pxRound:h,points:g}=t,_,v;s.ori==0?(_=Js,v=ec):(_=Ys,v=tc);let y=ka(g.width*gi,3),b=(g.size-g.width)/2*gi,x=ka(b*2,3),S=new Path2D,C=new Path2D,{left:w,top:T,width:E,height:D}=e.bbox;Qs(C,w-x,T-x,E+x*2,D+x*2);let O=e=>{if(o[e]!=null){let t=h(l(a[e],s,p,d)),n=h(u(o[e],c,m,f));_(S,t+b,n),v(S,t,n,b,0,ea*2)}};if(i)i.forEach(O);else for(let e=n;e<=r;e++)O(e);return{stroke:y>0?S:null,fill:S,clip:C,flags:3}})}function ac(e){return(t,n,r,i,a,o)=>{r!=i&&(a!=r&&o!=r&&e(t,n,r),a!=i&&o!=i&&e(t,n,i),e(t,n,o))}}var oc=ac(Xs),sc=ac(Zs);function cc(e){let t=Ji(e?.alignGaps,0);return(e,n,r,i)=>zs(e,n,(a,o,s,c,l,u,d,f,p,m,h)=>{[r,i]=Ri(s,r,i);let g=a.pxRound,_=e=>g(u(e,c,m,f)),v=e=>g(d(e,l,h,p)),y,b;c.ori==0?(y=Xs,b=oc):(y=Zs,b=sc);let x=c.dir*(c.ori==0?1:-1),S={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Ls},C=S.stroke,w=!1;if(i-r>=m*4){let t=t=>e.posToVal(t,c.key,!0),n=null,a=null,l,u,d,f=_(o[x==1?r:i]),p=_(o[r]),m=_(o[i]),h=t(x==1?p+1:m-1);for(let e=x==1?r:i;e>=r&&e<=i;e+=x){let r=o[e],i=(x==1?r<h:r>h)?f:_(r),c=s[e];i==f?c==null?c===null&&(w=!0):(u=c,n==null?(y(C,i,v(u)),l=n=a=u):u<n?n=u:u>a&&(a=u)):(n!=null&&b(C,f,v(n),v(a),v(l),v(u)),c==null?(n=a=null,c===null&&(w=!0)):(u=c,y(C,i,v(u)),n=a=l=u),f=i,h=t(f+x))}n!=null&&n!=a&&d!=f&&b(C,f,v(n),v(a),v(l),v(u))}else for(let e=x==1?r:i;e>=r&&e<=i;e+=x){let t=s[e];t===null?w=!0:t!=null&&y(C,_(o[e]),v(t))}let[T,E]=Bs(e,n);if(a.fill!=null||T!=0){let t=S.fill=new Path2D(C),s=v(a.fillTo(e,n,a.min,a.max,T)),c=_(o[r]),l=_(o[i]);x==-1&&([l,c]=[c,l]),y(t,l,s),y(t,c,s)}if(!a.spanGaps){let l=[];w&&l.push(...Gs(o,s,r,i,x,_,t)),S.gaps=l=a.gaps(e,n,r,i,l),S.clip=Us(l,c.ori,f,p,m,h)}return E!=0&&(S.band=E==2?[Hs(e,n,r,i,C,-1),Hs(e,n,r,i,C,1)]:Hs(e,n,r,i,C,E)),S})}function lc(e){let t=Ji(e.align,1),n=Ji(e.ascDesc,!1),r=Ji(e.alignGaps,0),i=Ji(e.extend,!1);return(e,a,o,s)=>zs(e,a,(c,l,u,d,f,p,m,h,g,_,v)=>{[o,s]=Ri(u,o,s);let y=c.pxRound,{left:b,width:x}=e.bbox,S=e=>y(p(e,d,_,h)),C=e=>y(m(e,f,v,g)),w=d.ori==0?Xs:Zs,T={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Ls},E=T.stroke,D=d.dir*(d.ori==0?1:-1),O=C(u[D==1?o:s]),k=S(l[D==1?o:s]),A=k,j=k;i&&t==-1&&(j=b,w(E,j,O)),w(E,k,O);for(let e=D==1?o:s;e>=o&&e<=s;e+=D){let n=u[e];if(n==null)continue;let r=S(l[e]),i=C(n);t==1?w(E,r,O):w(E,A,i),w(E,r,i),O=i,A=r}let M=A;i&&t==1&&(M=b+x,w(E,M,O));let[N,ee]=Bs(e,a);if(c.fill!=null||N!=0){let t=T.fill=new Path2D(E),n=C(c.fillTo(e,a,c.min,c.max,N));w(t,M,n),w(t,j,n)}if(!c.spanGaps){let i=[];i.push(...Gs(l,u,o,s,D,S,r));let f=c.width*gi/2,p=n||t==1?f:-f,m=n||t==-1?-f:f;i.forEach(e=>{e[0]+=p,e[1]+=m}),T.gaps=i=c.gaps(e,a,o,s,i),T.clip=Us(i,d.ori,h,g,_,v)}return ee!=0&&(T.band=ee==2?[Hs(e,a,o,s,E,-1),Hs(e,a,o,s,E,1)]:Hs(e,a,o,s,E,ee)),T})}function uc(e,t,n,r,i,a,o=pa){if(e.length>1){let s=null;for(let c=0,l=1/0;c<e.length;c++)if(t[c]!==void 0){if(s!=null){let t=ta(e[c]-e[s]);t<l&&(l=t,o=ta(n(e[c],r,i,a)-n(e[s],r,i,a)))}s=c}}return o}function dc(e){e||=Na;let t=Ji(e.size,[.6,pa,1]),n=e.align||0,r=e.gap||0,i=e.radius;i=i==null?[0,0]:typeof i==`number`?[i,0]:i;let a=_a(i),o=1-t[0],s=Ji(t[1],pa),c=Ji(t[2],1),l=Ji(e.disp,Na),u=Ji(e.each,e=>{}),{fill:d,stroke:f}=l;return(e,t,i,p)=>zs(e,t,(m,h,g,_,v,y,b,x,S,C,w)=>{let T=m.pxRound,E=n,D=r*gi,O=s*gi,k=c*gi,A,j;_.ori==0?[A,j]=a(e,t):[j,A]=a(e,t);let M=_.dir*(_.ori==0?1:-1),N=_.ori==0?Qs:$s,ee=_.ori==0?u:(e,t,n,r,i,a,o)=>{u(e,t,n,i,r,o,a)},te=Ji(e.bands,Pa).find(e=>e.series[0]==t),ne=te==null?0:te.dir,P=m.fillTo(e,t,m.min,m.max,ne),re=T(b(P,v,w,S)),F,ie,ae,oe=C,I=T(m.width*gi),se=!1,ce=null,le=null,ue=null,de=null;d!=null&&(I==0||f!=null)&&(se=!0,ce=d.values(e,t,i,p),le=new Map,new Set(ce).forEach(e=>{e!=null&&le.set(e,new Path2D)}),I>0&&(ue=f.values(e,t,i,p),de=new Map,new Set(ue).forEach(e=>{e!=null&&de.set(e,new Path2D)})));let{x0:fe,size:pe}=l;if(fe!=null&&pe!=null){E=1,h=fe.values(e,t,i,p),fe.unit==2&&(h=h.map(t=>e.posToVal(x+t*C,_.key,!0)));let n=pe.values(e,t,i,p);ie=pe.unit==2?n[0]*C:y(n[0],_,C,x)-y(0,_,C,x),oe=uc(h,g,y,_,C,x,oe),ae=oe-ie+D}else oe=uc(h,g,y,_,C,x,oe),ae=oe*o+D,ie=oe-ae;ae<1&&(ae=0),I>=ie/2&&(I=0),ae<5&&(T=ya);let me=ae>0,he=oe-ae-(me?I:0);ie=T(ha(he,k,O)),F=(E==0?ie/2:E==M?0:ie)-E*M*((E==0?D/2:0)+(me?I/2:0));let ge={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},_e=se?null:new Path2D,ve=null;if(te!=null)ve=e.data[te.series[1]];else{let{y0:n,y1:r}=l;n!=null&&r!=null&&(g=r.values(e,t,i,p),ve=n.values(e,t,i,p))}let ye=A*ie,be=j*ie;for(let n=M==1?i:p;n>=i&&n<=p;n+=M){let r=g[n];if(r==null)continue;if(ve!=null){let e=ve[n]??0;if(r-e==0)continue;re=b(e,v,w,S)}let i=y(_.distr!=2||l!=null?h[n]:n,_,C,x),a=b(Ji(r,P),v,w,S),o=T(i-F),s=T(oa(a,re)),c=T(aa(a,re)),u=s-c;if(r!=null){let i=r<0?be:ye,a=r<0?ye:be;se?(I>0&&ue[n]!=null&&N(de.get(ue[n]),o,c+na(I/2),ie,oa(0,u-I),i,a),ce[n]!=null&&N(le.get(ce[n]),o,c+na(I/2),ie,oa(0,u-I),i,a)):N(_e,o,c+na(I/2),ie,oa(0,u-I),i,a),ee(e,t,n,o-I/2,c,ie+I,u)}}return I>0?ge.stroke=se?de:_e:se||(ge._fill=m.width==0?m._fill:m._stroke??m._fill,ge.width=0),ge.fill=se?le:_e,ge})}function fc(e,t){let n=Ji(t?.alignGaps,0);return(t,r,i,a)=>zs(t,r,(o,s,c,l,u,d,f,p,m,h,g)=>{[i,a]=Ri(c,i,a);let _=o.pxRound,v=e=>_(d(e,l,h,p)),y=e=>_(f(e,u,g,m)),b,x,S;l.ori==0?(b=Js,S=Xs,x=nc):(b=Ys,S=Zs,x=rc);let C=l.dir*(l.ori==0?1:-1),w=v(s[C==1?i:a]),T=w,E=[],D=[];for(let e=C==1?i:a;e>=i&&e<=a;e+=C)if(c[e]!=null){let t=s[e],n=v(t);E.push(T=n),D.push(y(c[e]))}let O={stroke:e(E,D,b,S,x,_),fill:null,clip:null,band:null,gaps:null,flags:Ls},k=O.stroke,[A,j]=Bs(t,r);if(o.fill!=null||A!=0){let e=O.fill=new Path2D(k),n=y(o.fillTo(t,r,o.min,o.max,A));S(e,T,n),S(e,w,n)}if(!o.spanGaps){let e=[];e.push(...Gs(s,c,i,a,C,v,n)),O.gaps=e=o.gaps(t,r,i,a,e),O.clip=Us(e,l.ori,p,m,h,g)}return j!=0&&(O.band=j==2?[Hs(t,r,i,a,k,-1),Hs(t,r,i,a,k,1)]:Hs(t,r,i,a,k,j)),O})}function pc(e){return fc(mc,e)}function mc(e,t,n,r,i,a){let o=e.length;if(o<2)return null;let s=new Path2D;if(n(s,e[0],t[0]),o==2)r(s,e[1],t[1]);else{let n=Array(o),r=Array(o-1),a=Array(o-1),c=Array(o-1);for(let n=0;n<o-1;n++)a[n]=t[n+1]-t[n],c[n]=e[n+1]-e[n],r[n]=a[n]/c[n];n[0]=r[0];for(let e=1;e<o-1;e++)r[e]===0||r[e-1]===0||r[e-1]>0!=r[e]>0?n[e]=0:(n[e]=3*(c[e-1]+c[e])/((2*c[e]+c[e-1])/r[e-1]+(c[e]+2*c[e-1])/r[e]),isFinite(n[e])||(n[e]=0));n[o-1]=r[o-2];for(let r=0;r<o-1;r++)i(s,e[r]+c[r]/3,t[r]+n[r]*c[r]/3,e[r+1]-c[r]/3,t[r+1]-n[r+1]*c[r]/3,e[r+1],t[r+1])}return s}var hc=new Set;function gc(){for(let e of hc)e.syncRect(!0)}fi&&(Mi(si,mi,gc),Mi(ci,mi,gc,!0),Mi(ui,mi,()=>{Mc.pxRatio=gi}));var _c=cc(),vc=ic();function yc(e,t,n,r){return(r?[e[0],e[1]].concat(e.slice(2)):[e[0]].concat(e.slice(1))).map((e,r)=>xc(e,r,t,n))}function bc(e,t){return e.map((e,n)=>n==0?{}:Ga({},t,e))}function xc(e,t,n,r){return Ga({},t==0?n:r,e)}function Sc(e,t,n){return t==null?Fa:[t,n]}var Cc=Sc;function wc(e,t,n){return t==null?Fa:qi(t,n,Ui,!0)}function Tc(e,t,n,r){return t==null?Fa:Vi(t,n,e.scales[r].log,!1)}var Ec=Tc;function Dc(e,t,n,r){return t==null?Fa:Hi(t,n,e.scales[r].log,!1)}var Oc=Dc;function kc(e,t,n,r,i){let a=oa(ma(e),ma(t)),o=t-e,s=Pi(i/r*o,n);do{let e=n[s],t=r*e/o;if(t>=i&&a+(e<5?Aa.get(e):0)<=17)return[e,t]}while(++s<n.length);return[0,0]}function Ac(e){let t,n;return e=e.replace(/(\d+)px/,(e,r)=>(t=ra((n=+r)*gi))+`px`),[e,t,n]}function jc(e){e.show&&[e.font,e.labelFont].forEach(e=>{let t=ka(e[2]*gi,1);e[0]=e[0].replace(/[0-9.]+px/,t+`px`),e[1]=t})}function Mc(e,t,n){let r={mode:Ji(e.mode,1)},i=r.mode;function a(e,t,n,r){let i=t.valToPct(e);return r+n*(t.dir==-1?1-i:i)}function o(e,t,n,r){let i=t.valToPct(e);return r+n*(t.dir==-1?i:1-i)}function s(e,t,n,r){return t.ori==0?a(e,t,n,r):o(e,t,n,r)}r.valToPosH=a,r.valToPosV=o;let c=!1;r.status=0;let l=r.root=Ci(Dr);if(e.id!=null&&(l.id=e.id),yi(l,e.class),e.title){let t=Ci(Ar,l);t.textContent=e.title}let u=Si(`canvas`),d=r.ctx=u.getContext(`2d`),f=Ci(jr,l);Mi(`click`,f,e=>{e.target===m&&(en!=Xt||tn!=Zt)&&rn.click(r,e)},!0);let p=r.under=Ci(Mr,f);f.appendChild(u);let m=r.over=Ci(Nr,f);e=Wa(e);let h=+Ji(e.pxAlign,1),g=Ks(h);(e.plugins||[]).forEach(t=>{t.opts&&(e=t.opts(r,e)||e)});let _=e.ms||.001,v=r.series=i==1?yc(e.series||[],fs,js,!1):bc(e.series||[null],As),y=r.axes=yc(e.axes||[],ls,Ts,!0),b=r.scales={},x=r.bands=e.bands||[];x.forEach(e=>{e.fill=_a(e.fill||null),e.dir=Ji(e.dir,-1)});let S=i==2?v[1].facets[0].scale:v[0].scale,C={axes:Pt,series:Ct},w=(e.drawOrder||[`axes`,`series`]).map(e=>C[e]);function T(e){let t=e.distr==3?t=>la(t>0?t:e.clamp(r,t,e.min,e.max,e.key)):e.distr==4?t=>fa(t,e.asinh):e.distr==100?t=>e.fwd(t):e=>e;return n=>{let r=t(n),{_min:i,_max:a}=e,o=a-i;return(r-i)/o}}function E(t){let n=b[t];if(n==null){let r=(e.scales||Na)[t]||Na;if(r.from!=null){E(r.from);let e=Ga({},b[r.from],r,{key:t});e.valToPct=T(e),b[t]=e}else{n=b[t]=Ga({},t==S?Ns:Ps,r),n.key=t;let e=n.time,a=n.range,o=Ia(a);if((t!=S||i==2&&!e)&&(o&&(a[0]==null||a[1]==null)&&(a={min:a[0]==null?Wi:{mode:1,hard:a[0],soft:a[0]},max:a[1]==null?Wi:{mode:1,hard:a[1],soft:a[1]}},o=!1),!o&&Ba(a))){let e=a;a=(t,n,r)=>n==null?Fa:qi(n,r,e)}n.range=_a(a||(e?Cc:t==S?n.distr==3?Ec:n.distr==4?Oc:Sc:n.distr==3?Tc:n.distr==4?Dc:wc)),n.auto=_a(!o&&n.auto),n.clamp=_a(n.clamp||Ms),n._min=n._max=null,n.valToPct=T(n)}}}E(`x`),E(`y`),i==1&&v.forEach(e=>{E(e.scale)}),y.forEach(e=>{E(e.scale)});for(let t in e.scales)E(t);let D=b[S],O=D.distr,k,A;D.ori==0?(yi(l,Or),k=a,A=o):(yi(l,kr),k=o,A=a);let j={};for(let e in b){let t=b[e];(t.min!=null||t.max!=null)&&(j[e]={min:t.min,max:t.max},t.min=t.max=null)}let M=e.tzDate||(e=>new Date(ra(e/_))),N=e.fmtDate||lo,ee=_==1?No(M):Io(M),te=Ro(M,Lo(_==1?Mo:Fo,N)),ne=Uo(M,Vo(Ho,N)),P=[],re=r.legend=Ga({},Ko,e.legend),F=r.cursor=Ga({},ts,{drag:{y:i==2}},e.cursor),ie=re.show,ae=F.show,oe=re.markers;re.idxs=P,oe.width=_a(oe.width),oe.dash=_a(oe.dash),oe.stroke=_a(oe.stroke),oe.fill=_a(oe.fill);let I,se,ce,le=[],ue=[],de,fe=!1,pe={};if(re.live){let e=v[1]?v[1].values:null;fe=e!=null,de=fe?e(r,1,0):{_:0};for(let e in de)pe[e]=di}if(ie){if(I=Si(`table`,Br,l),ce=Si(`tbody`,null,I),re.mount(r,I),fe){se=Si(`thead`,null,I,ce);let e=Si(`tr`,null,se);for(var me in Si(`th`,null,e),de)Si(`th`,Gr,e).textContent=me}else yi(I,Hr),re.live&&yi(I,Vr)}let he={show:!0},ge={show:!1};function _e(e,t){if(t==0&&(fe||!re.live||i==2))return Fa;let n=[],a=Si(`tr`,Ur,ce,ce.childNodes[t]);yi(a,e.class),e.show||yi(a,Fr);let o=Si(`th`,null,a);if(oe.show){let e=Ci(Wr,o);if(t>0){let n=oe.width(r,t);n&&(e.style.border=n+`px `+oe.dash(r,t)+` `+oe.stroke(r,t)),e.style.background=oe.fill(r,t)}}let s=Ci(Gr,o);for(var c in e.label instanceof HTMLElement?s.appendChild(e.label):s.textContent=e.label,t>0&&(oe.show||(s.style.color=e.width>0?oe.stroke(r,t):oe.fill(r,t)),ye(`click`,o,t=>{if(F._lock)return;G(t);let n=v.indexOf(e);if((t.ctrlKey||t.metaKey)!=re.isolate){let e=v.some((e,t)=>t>0&&t!=n&&e.show);v.forEach((t,r)=>{r>0&&fn(r,e?r==n?he:ge:he,!0,Zn.setSeries)})}else fn(n,{show:!e.show},!0,Zn.setSeries)},!1),Be&&ye(ii,o,t=>{F._lock||(G(t),fn(v.indexOf(e),bn,!0,Zn.setSeries))},!1)),de){let e=Si(`td`,Kr,a);e.textContent=`--`,n.push(e)}return[a,n]}let ve=new Map;function ye(e,t,n,i=!0){let a=ve.get(t)||{},o=F.bind[e](r,t,n,i);o&&(Mi(e,t,a[e]=o),ve.set(t,a))}function be(e,t,n){let r=ve.get(t)||{};for(let n in r)(e==null||n==e)&&(Ni(n,t,r[n]),delete r[n]);e??ve.delete(t)}let xe=0,L=0,R=0,z=0,Se=0,B=0,Ce=Se,V=B,H=R,we=z,Te=0,U=0,Ee=0,De=0;r.bbox={};let Oe=!1,ke=!1,Ae=!1,je=!1,Me=!1,Ne=!1;function Pe(e,t,n){(n||e!=r.width||t!=r.height)&&Fe(e,t),Ft(!1),Ae=!0,ke=!0,Bt()}function Fe(e,t){r.width=xe=R=e,r.height=L=z=t,Se=B=0,Le(),Re();let n=r.bbox;Te=n.left=Ea(Se*gi,.5),U=n.top=Ea(B*gi,.5),Ee=n.width=Ea(R*gi,.5),De=n.height=Ea(z*gi,.5)}function W(){let e=!1,t=0;for(;!e;){t++;let n=Mt(t),i=Nt(t);e=t==3||n&&i,e||(Fe(r.width,r.height),ke=!0)}}function Ie({width:e,height:t}){Pe(e,t)}r.setSize=Ie;function Le(){let e=!1,t=!1,n=!1,r=!1;y.forEach((i,a)=>{if(i.show&&i._show){let{side:a,_size:o}=i,s=a%2,c=o+(i.label==null?0:i.labelSize);c>0&&(s?(R-=c,a==3?(Se+=c,r=!0):n=!0):(z-=c,a==0?(B+=c,e=!0):t=!0))}}),Ye[0]=e,Ye[1]=n,Ye[2]=t,Ye[3]=r,R-=q[1]+q[3],Se+=q[3],z-=q[2]+q[0],B+=q[0]}function Re(){let e=Se+R,t=B+z,n=Se,r=B;function i(i,a){switch(i){case 1:return e+=a,e-a;case 2:return t+=a,t-a;case 3:return n-=a,n+a;case 0:return r-=a,r+a}}y.forEach((e,t)=>{if(e.show&&e._show){let t=e.side;e._pos=i(t,e._size),e.label!=null&&(e._lpos=i(t,e.labelSize))}})}if(F.dataIdx==null){let e=F.hover,n=e.skip=new Set(e.skip??[]);n.add(void 0);let r=e.prox=_a(e.prox),i=e.bias??=0;F.dataIdx=(e,a,o,s)=>{if(a==0)return o;let c=o,l=r(e,a,o,s)??pa,u=l>=0&&l<pa,d=D.ori==0?R:z,f=F.left,p=t[0],m=t[a];if(n.has(m[o])){c=null;let e=null,t=null,r;if(i==0||i==-1)for(r=o;e==null&&r-->0;)n.has(m[r])||(e=r);if(i==0||i==1)for(r=o;t==null&&r++<m.length;)n.has(m[r])||(t=r);if(e!=null||t!=null){if(u){let n=e==null?-1/0:k(p[e],D,d,0),r=t==null?1/0:k(p[t],D,d,0),i=f-n,a=r-f;i<=a?i<=l&&(c=e):a<=l&&(c=t)}else c=t==null?e:e==null?t:o-e<=t-o?e:t}}else u&&ta(f-k(p[o],D,d,0))>l&&(c=null);return c}}let G=e=>{F.event=e};F.idxs=P,F._lock=!1;let K=F.points;K.show=_a(K.show),K.size=_a(K.size),K.stroke=_a(K.stroke),K.width=_a(K.width),K.fill=_a(K.fill);let ze=r.focus=Ga({},e.focus||{alpha:.3},F.focus),Be=ze.prox>=0,Ve=Be&&K.one,He=[],Ue=[],We=[];function Ge(e,t){let n=K.show(r,t);if(n instanceof HTMLElement)return yi(n,zr),yi(n,e.class),Ti(n,-10,-10,R,z),m.insertBefore(n,He[t]),n}function Ke(e,t){if(i==1||t>0){let t=i==1&&b[e.scale].time,n=e.value;e.value=t?za(n)?Uo(M,Vo(n,N)):n||ne:n||ws,e.label=e.label||(t?ds:us)}if(Ve||t>0){e.width=e.width==null?1:e.width,e.paths=e.paths||_c||xa,e.fillTo=_a(e.fillTo||Vs),e.pxAlign=+Ji(e.pxAlign,h),e.pxRound=Ks(e.pxAlign),e.stroke=_a(e.stroke||null),e.fill=_a(e.fill||null),e._stroke=e._fill=e._paths=e._focus=null;let t=Es(oa(1,e.width),1),n=e.points=Ga({},{size:t,width:oa(1,t*.2),stroke:e.stroke,space:t*2,paths:vc,_stroke:null,_fill:null},e.points);n.show=_a(n.show),n.filter=_a(n.filter),n.fill=_a(n.fill),n.stroke=_a(n.stroke),n.paths=_a(n.paths),n.pxAlign=e.pxAlign}if(ie){let n=_e(e,t);le.splice(t,0,n[0]),ue.splice(t,0,n[1]),re.values.push(null)}if(ae){P.splice(t,0,null);let n=null;Ve?t==0&&(n=Ge(e,t)):t>0&&(n=Ge(e,t)),He.splice(t,0,n),Ue.splice(t,0,0),We.splice(t,0,0)}Yn(`addSeries`,t)}function qe(e,t){t??=v.length,e=i==1?xc(e,t,fs,js):xc(e,t,{},As),v.splice(t,0,e),Ke(v[t],t)}r.addSeries=qe;function Je(e){if(v.splice(e,1),ie){re.values.splice(e,1),ue.splice(e,1);let t=le.splice(e,1)[0];be(null,t.firstChild),t.remove()}ae&&(P.splice(e,1),He.splice(e,1)[0].remove(),Ue.splice(e,1),We.splice(e,1)),Yn(`delSeries`,e)}r.delSeries=Je;let Ye=[!1,!1,!1,!1];function Xe(e,t){if(e._show=e.show,e.show){let n=e.side%2,i=b[e.scale];i??=(e.scale=n?v[1].scale:S,b[e.scale]);let a=i.time;e.size=_a(e.size),e.space=_a(e.space),e.rotate=_a(e.rotate),Ia(e.incrs)&&e.incrs.forEach(e=>{!Aa.has(e)&&Aa.set(e,ja(e))}),e.incrs=_a(e.incrs||(i.distr==2?_o:a?_==1?jo:Po:vo)),e.splits=_a(e.splits||(a&&i.distr==1?ee:i.distr==3?hs:i.distr==4?gs:ms)),e.stroke=_a(e.stroke),e.grid.stroke=_a(e.grid.stroke),e.ticks.stroke=_a(e.ticks.stroke),e.border.stroke=_a(e.border.stroke);let o=e.values;e.values=Ia(o)&&!Ia(o[0])?_a(o):a?Ia(o)?Ro(M,Lo(o,N)):za(o)?zo(M,o):o||te:o||ps,e.filter=_a(e.filter||(i.distr>=3&&i.log==10?Ss:i.distr==3&&i.log==2?Cs:ba)),e.font=Ac(e.font),e.labelFont=Ac(e.labelFont),e._size=e.size(r,null,t,0),e._space=e._rotate=e._incrs=e._found=e._splits=e._values=null,e._size>0&&(Ye[t]=!0,e._el=Ci(Pr,f))}}function Ze(e,t,n,r){let[i,a,o,s]=n,c=t%2,l=0;return c==0&&(s||a)&&(l=t==0&&!i||t==2&&!o?ra(ls.size/3):0),c==1&&(i||o)&&(l=t==1&&!a||t==3&&!s?ra(Ts.size/2):0),l}let Qe=r.padding=(e.padding||[Ze,Ze,Ze,Ze]).map(e=>_a(Ji(e,Ze))),q=r._padding=Qe.map((e,t)=>e(r,t,Ye,0)),$e,et=null,tt=null,nt=i==1?v[0].idxs:null,rt=null,it=!1;function at(e,n){if(t=e??[],r.data=r._data=t,i==2){$e=0;for(let e=1;e<v.length;e++)$e+=t[e][0].length}else{t.length==0&&(r.data=r._data=t=[[]]),rt=t[0],$e=rt.length;let e=t;if(O==2){e=t.slice();let n=e[0]=Array($e);for(let e=0;e<$e;e++)n[e]=e}r._data=t=e}if(Ft(!0),Yn(`setData`),O==2&&(Ae=!0),n!==!1){let e=D;e.auto(r,it)?ot():dn(S,e.min,e.max),je||=F.left>=0,Ne=!0,Bt()}}r.setData=at;function ot(){it=!0;let e,n;i==1&&($e>0?(et=nt[0]=0,tt=nt[1]=$e-1,e=t[0][et],n=t[0][tt],O==2?(e=et,n=tt):e==n&&(O==3?[e,n]=Vi(e,e,D.log,!1):O==4?[e,n]=Hi(e,e,D.log,!1):D.time?n=e+ra(86400/_):[e,n]=qi(e,n,Ui,!0))):(et=nt[0]=e=null,tt=nt[1]=n=null)),dn(S,e,n)}let st,ct,lt,ut,dt,ft,pt,mt,ht,gt;function _t(e,t,n,r,i,a){e??=ei,n??=Pa,r??=`butt`,i??=ei,a??=`round`,e!=st&&(d.strokeStyle=st=e),i!=ct&&(d.fillStyle=ct=i),t!=lt&&(d.lineWidth=lt=t),a!=dt&&(d.lineJoin=dt=a),r!=ft&&(d.lineCap=ft=r),n!=ut&&d.setLineDash(ut=n)}function vt(e,t,n,r){t!=ct&&(d.fillStyle=ct=t),e!=pt&&(d.font=pt=e),n!=mt&&(d.textAlign=mt=n),r!=ht&&(d.textBaseline=ht=r)}function yt(e,t,n,i,a=0){if(i.length>0&&e.auto(r,it)&&(t==null||t.min==null)){let t=Ji(et,0),r=Ji(tt,i.length-1),o=n.min==null?Bi(i,t,r,a,e.distr==3):[n.min,n.max];e.min=aa(e.min,n.min=o[0]),e.max=oa(e.max,n.max=o[1])}}let bt={min:null,max:null};function xt(){for(let e in b){let t=b[e];j[e]==null&&(t.min==null||j[S]!=null&&t.auto(r,it))&&(j[e]=bt)}for(let e in b){let t=b[e];j[e]==null&&t.from!=null&&j[t.from]!=null&&(j[e]=bt)}j[S]!=null&&Ft(!0);let e={};for(let t in j){let n=j[t];if(n!=null){let a=e[t]=Wa(b[t],Va);if(n.min!=null)Ga(a,n);else if(t!=S||i==2){if($e==0&&a.from==null){let e=a.range(r,null,null,t);a.min=e[0],a.max=e[1]}else a.min=pa,a.max=-1/0}}}if($e>0){v.forEach((n,a)=>{if(i==1){let i=n.scale,o=j[i];if(o==null)return;let s=e[i];if(a==0){let e=s.range(r,s.min,s.max,i);s.min=e[0],s.max=e[1],et=Pi(s.min,t[0]),tt=Pi(s.max,t[0]),tt-et>1&&(t[0][et]<s.min&&et++,t[0][tt]>s.max&&tt--),n.min=rt[et],n.max=rt[tt]}else n.show&&n.auto&&yt(s,o,n,t[a],n.sorted);n.idxs[0]=et,n.idxs[1]=tt}else if(a>0&&n.show&&n.auto){let[r,i]=n.facets,o=r.scale,s=i.scale,[c,l]=t[a],u=e[o],d=e[s];u!=null&&yt(u,j[o],r,c,r.sorted),d!=null&&yt(d,j[s],i,l,i.sorted),n.min=i.min,n.max=i.max}});for(let t in e){let n=e[t],i=j[t];if(n.from==null&&(i==null||i.min==null)){let e=n.range(r,n.min==pa?null:n.min,n.max==-1/0?null:n.max,t);n.min=e[0],n.max=e[1]}}}for(let t in e){let n=e[t];if(n.from!=null){let i=e[n.from];if(i.min==null)n.min=n.max=null;else{let e=n.range(r,i.min,i.max,t);n.min=e[0],n.max=e[1]}}}let n={},a=!1;for(let t in e){let r=e[t],i=b[t];if(i.min!=r.min||i.max!=r.max){i.min=r.min,i.max=r.max;let e=i.distr;i._min=e==3?la(i.min):e==4?fa(i.min,i.asinh):e==100?i.fwd(i.min):i.min,i._max=e==3?la(i.max):e==4?fa(i.max,i.asinh):e==100?i.fwd(i.max):i.max,n[t]=a=!0}}if(a){v.forEach((e,t)=>{i==2?t>0&&n.y&&(e._paths=null):n[e.scale]&&(e._paths=null)});for(let e in n)Ae=!0,Yn(`setScale`,e);ae&&F.left>=0&&(je=Ne=!0)}for(let e in j)j[e]=null}function St(e){let t=ha(et-1,0,$e-1),n=ha(tt+1,0,$e-1);for(;e[t]==null&&t>0;)t--;for(;e[n]==null&&n<$e-1;)n++;return[t,n]}function Ct(){if($e>0){let e=v.some(e=>e._focus)&&gt!=ze.alpha;e&&(d.globalAlpha=gt=ze.alpha),v.forEach((e,n)=>{if(n>0&&e.show&&(wt(n,!1),wt(n,!0),e._paths==null)){let a=gt;gt!=e.alpha&&(d.globalAlpha=gt=e.alpha);let o=i==2?[0,t[n][0].length-1]:St(t[n]);e._paths=e.paths(r,n,o[0],o[1]),gt!=a&&(d.globalAlpha=gt=a)}}),v.forEach((e,t)=>{if(t>0&&e.show){let n=gt;gt!=e.alpha&&(d.globalAlpha=gt=e.alpha),e._paths!=null&&Tt(t,!1);{let n=e._paths==null?null:e._paths.gaps,i=e.points.show(r,t,et,tt,n),a=e.points.filter(r,t,i,n);(i||a)&&(e.points._paths=e.points.paths(r,t,et,tt,a),Tt(t,!0))}gt!=n&&(d.globalAlpha=gt=n),Yn(`drawSeries`,t)}}),e&&(d.globalAlpha=gt=1)}}function wt(e,t){let n=t?v[e].points:v[e];n._stroke=n.stroke(r,e),n._fill=n.fill(r,e)}function Tt(e,t){let n=t?v[e].points:v[e],{stroke:r,fill:i,clip:a,flags:o,_stroke:s=n._stroke,_fill:c=n._fill,_width:l=n.width}=n._paths;l=ka(l*gi,3);let u=null,f=l%2/2;t&&c==null&&(c=l>0?`#fff`:s);let p=n.pxAlign==1&&f>0;if(p&&d.translate(f,f),!t){let e=Te-l/2,t=U-l/2,n=Ee+l,r=De+l;u=new Path2D,u.rect(e,t,n,r)}t?Dt(s,l,n.dash,n.cap,c,r,i,o,a):Et(e,s,l,n.dash,n.cap,c,r,i,o,u,a),p&&d.translate(-f,-f)}function Et(e,n,i,a,o,s,c,l,u,d,f){let p=!1;u!=0&&x.forEach((m,h)=>{if(m.series[0]==e){let e=v[m.series[1]],g=t[m.series[1]],_=(e._paths||Na).band;Ia(_)&&(_=m.dir==1?_[0]:_[1]);let y,b=null;e.show&&_&&Yi(g,et,tt)?(b=m.fill(r,h)||s,y=e._paths.clip):_=null,Dt(n,i,a,o,b,c,l,u,d,f,y,_),p=!0}}),p||Dt(n,i,a,o,s,c,l,u,d,f)}function Dt(e,t,n,r,i,a,o,s,c,l,u,f){_t(e,t,n,r,i),(c||l||f)&&(d.save(),c&&d.clip(c),l&&d.clip(l)),f?(s&3)==3?(d.clip(f),u&&d.clip(u),kt(i,o),Ot(e,a,t)):s&Rs?(kt(i,o),d.clip(f),Ot(e,a,t)):s&Ls&&(d.save(),d.clip(f),u&&d.clip(u),kt(i,o),d.restore(),Ot(e,a,t)):(kt(i,o),Ot(e,a,t)),(c||l||f)&&d.restore()}function Ot(e,t,n){n>0&&(t instanceof Map?t.forEach((e,t)=>{d.strokeStyle=st=t,d.stroke(e)}):t!=null&&e&&d.stroke(t))}function kt(e,t){t instanceof Map?t.forEach((e,t)=>{d.fillStyle=ct=t,d.fill(e)}):t!=null&&e&&d.fill(t)}function At(e,t,n,i){let a=y[e],o;if(i<=0)o=[0,0];else{let s=a._space=a.space(r,e,t,n,i);o=kc(t,n,a._incrs=a.incrs(r,e,t,n,i,s),i,s)}return a._found=o}function jt(e,t,n,r,i,a,o,s,c,l){let u=o%2/2;h==1&&d.translate(u,u),_t(s,o,c,l,s),d.beginPath();let f,p,m,g,_=i+(r==0||r==3?-a:a);n==0?(p=i,g=_):(f=i,m=_);for(let r=0;r<e.length;r++)t[r]!=null&&(n==0?f=m=e[r]:p=g=e[r],d.moveTo(f,p),d.lineTo(m,g));d.stroke(),h==1&&d.translate(-u,-u)}function Mt(e){let t=!0;return y.forEach((n,i)=>{if(!n.show)return;let a=b[n.scale];if(a.min==null){n._show&&(t=!1,n._show=!1,Ft(!1));return}n._show||(t=!1,n._show=!0,Ft(!1));let o=n.side,s=o%2,{min:c,max:l}=a,[u,d]=At(i,c,l,s==0?R:z);if(d==0)return;let f=a.distr==2,p=n._splits=n.splits(r,i,c,l,u,d,f),m=a.distr==2?p.map(e=>rt[e]):p,h=a.distr==2?rt[p[1]]-rt[p[0]]:u,g=n._values=n.values(r,n.filter(r,m,i,d,h),i,d,h);n._rotate=o==2?n.rotate(r,g,i,d):0;let _=n._size;n._size=ia(n.size(r,g,i,e)),_!=null&&n._size!=_&&(t=!1)}),t}function Nt(e){let t=!0;return Qe.forEach((n,i)=>{let a=n(r,i,Ye,e);a!=q[i]&&(t=!1),q[i]=a}),t}function Pt(){for(let e=0;e<y.length;e++){let t=y[e];if(!t.show||!t._show)continue;let n=t.side,i=n%2,a,o,c=t.stroke(r,e),l=n==0||n==3?-1:1,[u,f]=t._found;if(t.label!=null){let s=t.labelGap*l,p=ra((t._lpos+s)*gi);vt(t.labelFont[0],c,`center`,n==2?Yr:Xr),d.save(),i==1?(a=o=0,d.translate(p,ra(U+De/2)),d.rotate((n==3?-ea:ea)/2)):(a=ra(Te+Ee/2),o=p);let m=ga(t.label)?t.label(r,e,u,f):t.label;d.fillText(m,a,o),d.restore()}if(f==0)continue;let p=b[t.scale],m=i==0?Ee:De,h=i==0?Te:U,_=t._splits,v=p.distr==2?_.map(e=>rt[e]):_,x=p.distr==2?rt[_[1]]-rt[_[0]]:u,S=t.ticks,C=t.border,w=S.show?S.size:0,T=ra(w*gi),E=ra((t.alignTo==2?t._size-w-t.gap:t.gap)*gi),D=t._rotate*-ea/180,O=g(t._pos*gi),k=O+(T+E)*l;o=i==0?k:0,a=i==1?k:0;let A=t.font[0];vt(A,c,t.align==1?Zr:t.align==2?Qr:D>0?Zr:D<0?Qr:i==0?`center`:n==3?Qr:Zr,D||i==1?`middle`:n==2?Yr:Xr);let j=t.font[1]*t.lineGap,M=_.map(e=>g(s(e,p,m,h))),N=t._values;for(let e=0;e<N.length;e++){let t=N[e];if(t!=null){i==0?a=M[e]:o=M[e],t=``+t;let n=t.indexOf(`
`)==-1?[t]:t.split(/\n/gm);for(let e=0;e<n.length;e++){let t=n[e];D?(d.save(),d.translate(a,o+e*j),d.rotate(D),d.fillText(t,0,0),d.restore()):d.fillText(t,a,o+e*j)}}}S.show&&jt(M,S.filter(r,v,e,f,x),i,n,O,T,ka(S.width*gi,3),S.stroke(r,e),S.dash,S.cap);let ee=t.grid;ee.show&&jt(M,ee.filter(r,v,e,f,x),i,i==0?2:1,i==0?U:Te,i==0?De:Ee,ka(ee.width*gi,3),ee.stroke(r,e),ee.dash,ee.cap),C.show&&jt([O],[1],+(i==0),i==0?1:2,i==1?U:Te,i==1?De:Ee,ka(C.width*gi,3),C.stroke(r,e),C.dash,C.cap)}Yn(`drawAxes`)}function Ft(e){v.forEach((t,n)=>{n>0&&(t._paths=null,e&&(i==1?(t.min=null,t.max=null):t.facets.forEach(e=>{e.min=null,e.max=null})))})}let It=!1,Lt=!1,Rt=[];function zt(){Lt=!1;for(let e=0;e<Rt.length;e++)Yn(...Rt[e]);Rt.length=0}function Bt(){It||=(Za(Ht),!0)}function Vt(e,t=!1){It=!0,Lt=t,e(r),Ht(),t&&Rt.length>0&&queueMicrotask(zt)}r.batch=Vt;function Ht(){if(Oe&&=(xt(),!1),Ae&&=(W(),!1),ke){if(xi(p,Zr,Se),xi(p,Yr,B),xi(p,qr,R),xi(p,Jr,z),xi(m,Zr,Se),xi(m,Yr,B),xi(m,qr,R),xi(m,Jr,z),xi(f,qr,xe),xi(f,Jr,L),u.width=ra(xe*gi),u.height=ra(L*gi),y.forEach(({_el:e,_show:t,_size:n,_pos:r,side:i})=>{if(e!=null){if(t){let t=i===3||i===0?n:0,a=i%2==1;xi(e,a?`left`:`top`,r-t),xi(e,a?`width`:`height`,n),xi(e,a?`top`:`left`,a?B:Se),xi(e,a?`height`:`width`,a?z:R),bi(e,Fr)}else yi(e,Fr)}}),st=ct=lt=dt=ft=pt=mt=ht=ut=null,gt=1,Nn(!0),Se!=Ce||B!=V||R!=H||z!=we){Ft(!1);let e=R/H,t=z/we;if(ae&&!je&&F.left>=0){F.left*=e,F.top*=t,Kt&&Ti(Kt,ra(F.left),0,R,z),qt&&Ti(qt,0,ra(F.top),R,z);for(let n=0;n<He.length;n++){let r=He[n];r!=null&&(Ue[n]*=e,We[n]*=t,Ti(r,ia(Ue[n]),ia(We[n]),R,z))}}if(sn.show&&!Me&&sn.left>=0&&sn.width>0){sn.left*=e,sn.width*=e,sn.top*=t,sn.height*=t;for(let e in In)xi(cn,e,sn[e])}Ce=Se,V=B,H=R,we=z}Yn(`setSize`),ke=!1}xe>0&&L>0&&(d.clearRect(0,0,u.width,u.height),Yn(`drawClear`),w.forEach(e=>e()),Yn(`draw`)),sn.show&&Me&&(ln(sn),Me=!1),ae&&je&&(jn(null,!0,!1),je=!1),re.show&&re.live&&Ne&&(kn(),Ne=!1),c||(c=!0,r.status=1,Yn(`ready`)),it=!1,It=!1}r.redraw=(e,t)=>{Ae=t||!1,e===!1?Bt():dn(S,D.min,D.max)};function Ut(e,n){let i=b[e];if(i.from==null){if($e==0){let t=i.range(r,n.min,n.max,e);n.min=t[0],n.max=t[1]}if(n.min>n.max){let e=n.min;n.min=n.max,n.max=e}if($e>1&&n.min!=null&&n.max!=null&&n.max-n.min<1e-16)return;e==S&&i.distr==2&&$e>0&&(n.min=Pi(n.min,t[0]),n.max=Pi(n.max,t[0]),n.min==n.max&&n.max++),j[e]=n,Oe=!0,Bt()}}r.setScale=Ut;let Wt,Gt,Kt,qt,Jt,Yt,Xt,Zt,Qt,$t,en,tn,nn=!1,rn=F.drag,an=rn.x,on=rn.y;ae&&(F.x&&(Wt=Ci(Lr,m)),F.y&&(Gt=Ci(Rr,m)),D.ori==0?(Kt=Wt,qt=Gt):(Kt=Gt,qt=Wt),en=F.left,tn=F.top);let sn=r.select=Ga({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),cn=sn.show?Ci(Ir,sn.over?m:p):null;function ln(e,t){if(sn.show){for(let t in e)sn[t]=e[t],t in In&&xi(cn,t,e[t]);t!==!1&&Yn(`setSelect`)}}r.setSelect=ln;function un(e){if(v[e].show)ie&&bi(le[e],Fr);else if(ie&&yi(le[e],Fr),ae){let t=Ve?He[0]:He[e];t!=null&&Ti(t,-10,-10,R,z)}}function dn(e,t,n){Ut(e,{min:t,max:n})}function fn(e,t,n,a){t.focus!=null&&xn(e),t.show!=null&&v.forEach((n,r)=>{r>0&&(e==r||e==null)&&(n.show=t.show,un(r),i==2?(dn(n.facets[0].scale,null,null),dn(n.facets[1].scale,null,null)):dn(n.scale,null,null),Bt())}),n!==!1&&Yn(`setSeries`,e,t),a&&er(`setSeries`,r,e,t)}r.setSeries=fn;function pn(e,t){Ga(x[e],t)}function mn(e,t){e.fill=_a(e.fill||null),e.dir=Ji(e.dir,-1),t??=x.length,x.splice(t,0,e)}function hn(e){e==null?x.length=0:x.splice(e,1)}r.addBand=mn,r.setBand=pn,r.delBand=hn;function gn(e,t){v[e].alpha=t,ae&&He[e]!=null&&(He[e].style.opacity=t),ie&&le[e]&&(le[e].style.opacity=t)}let _n,vn,yn,bn={focus:!0};function xn(e){if(e!=yn){let t=e==null,n=ze.alpha!=1;v.forEach((r,a)=>{if(i==1||a>0){let i=t||a==0||a==e;r._focus=t?null:i,n&&gn(a,i?1:ze.alpha)}}),yn=e,n&&Bt()}}ie&&Be&&ye(ai,I,e=>{F._lock||(G(e),yn!=null&&fn(null,bn,!0,Zn.setSeries))});function Sn(e,t,n){let r=b[t];n&&(e=e/gi-(r.ori==1?B:Se));let i=R;r.ori==1&&(i=z,e=i-e),r.dir==-1&&(e=i-e);let a=r._min,o=r._max,s=e/i,c=a+(o-a)*s,l=r.distr;return l==3?sa(10,c):l==4?da(c,r.asinh):l==100?r.bwd(c):c}function Cn(e,n){return Pi(Sn(e,S,n),t[0],et,tt)}r.valToIdx=e=>Pi(e,t[0]),r.posToIdx=Cn,r.posToVal=Sn,r.valToPos=(e,t,n)=>b[t].ori==0?a(e,b[t],n?Ee:R,n?Te:0):o(e,b[t],n?De:z,n?U:0),r.setCursor=(e,t,n)=>{en=e.left,tn=e.top,jn(null,t,n)};function wn(e,t){xi(cn,Zr,sn.left=e),xi(cn,qr,sn.width=t)}function Tn(e,t){xi(cn,Yr,sn.top=e),xi(cn,Jr,sn.height=t)}let En=D.ori==0?wn:Tn,Dn=D.ori==1?wn:Tn;function On(){if(ie&&re.live)for(let e=+(i==2);e<v.length;e++){if(e==0&&fe)continue;let t=re.values[e],n=0;for(let r in t)ue[e][n++].firstChild.nodeValue=t[r]}}function kn(e,t){if(e!=null&&(e.idxs?e.idxs.forEach((e,t)=>{P[t]=e}):Ra(e.idx)||P.fill(e.idx),re.idx=P[0]),ie&&re.live){for(let e=0;e<v.length;e++)(e>0||i==1&&!fe)&&An(e,P[e]);On()}Ne=!1,t!==!1&&Yn(`setLegend`)}r.setLegend=kn;function An(e,n){let i=v[e],a=e==0&&O==2?rt:t[e],o;fe?o=i.values(r,e,n)??pe:(o=i.value(r,n==null?null:a[n],e,n),o=o==null?pe:{_:o}),re.values[e]=o}function jn(e,n,a){Qt=en,$t=tn,[en,tn]=F.move(r,en,tn),F.left=en,F.top=tn,ae&&(Kt&&Ti(Kt,ra(en),0,R,z),qt&&Ti(qt,0,ra(tn),R,z));let o,s=et>tt;_n=pa,vn=null;let c=D.ori==0?R:z,l=D.ori==1?R:z;if(en<0||$e==0||s){o=F.idx=null;for(let e=0;e<v.length;e++){let t=He[e];t!=null&&Ti(t,-10,-10,R,z)}Be&&fn(null,bn,!0,e==null&&Zn.setSeries),re.live&&(P.fill(o),Ne=!0)}else{let e,n,a;i==1&&(e=D.ori==0?en:tn,n=Sn(e,S),o=F.idx=Pi(n,t[0],et,tt),a=k(t[0][o],D,c,0));let s=-10,u=-10,d=0,f=0,p=!0,m=``,h=``;for(let e=+(i==2);e<v.length;e++){let g=v[e],_=P[e],y=_==null?null:i==1?t[e][_]:t[e][1][_],x=F.dataIdx(r,e,o,n),S=x==null?null:i==1?t[e][x]:t[e][1][x];if(Ne=Ne||S!=y||x!=_,P[e]=x,e>0&&g.show){let n=x==null?-10:x==o?a:k(i==1?t[0][x]:t[e][0][x],D,c,0),_=S==null?-10:A(S,i==1?b[g.scale]:b[g.facets[1].scale],l,0);if(Be&&S!=null){let t=D.ori==1?en:tn,n=ta(ze.dist(r,e,x,_,t));if(n<_n){let r=ze.bias;if(r!=0){let i=Sn(t,g.scale),a=S>=0?1:-1,o=i>=0?1:-1;o==a&&(o==1?r==1?S>=i:S<=i:r==1?S<=i:S>=i)&&(_n=n,vn=e)}else _n=n,vn=e}}if(Ne||Ve){let t,i;D.ori==0?(t=n,i=_):(t=_,i=n);let a,o,c,l,g,v,y=!0,b=K.bbox;if(b!=null){y=!1;let t=b(r,e);c=t.left,l=t.top,a=t.width,o=t.height}else c=t,l=i,a=o=K.size(r,e);if(v=K.fill(r,e),g=K.stroke(r,e),Ve)e==vn&&_n<=ze.prox&&(s=c,u=l,d=a,f=o,p=y,m=v,h=g);else{let t=He[e];t!=null&&(Ue[e]=c,We[e]=l,ki(t,a,o,y),Di(t,v,g),Ti(t,ia(c),ia(l),R,z))}}}}if(Ve){let e=ze.prox;if(Ne||(yn==null?_n<=e:_n>e||vn!=yn)){let e=He[0];e!=null&&(Ue[0]=s,We[0]=u,ki(e,d,f,p),Di(e,m,h),Ti(e,ia(s),ia(u),R,z))}}}if(sn.show&&nn){if(e!=null){let[t,n]=Zn.scales,[r,i]=Zn.match,[a,o]=e.cursor.sync.scales,s=e.cursor.drag;if(an=s._x,on=s._y,an||on){let{left:s,top:u,width:d,height:f}=e.select,p=e.scales[a].ori,m=e.posToVal,h,g,_,v,y,x=t!=null&&r(t,a),S=n!=null&&i(n,o);x&&an?(p==0?(h=s,g=d):(h=u,g=f),_=b[t],v=k(m(h,a),_,c,0),y=k(m(h+g,a),_,c,0),En(aa(v,y),ta(y-v))):En(0,c),S&&on?(p==1?(h=s,g=d):(h=u,g=f),_=b[n],v=A(m(h,o),_,l,0),y=A(m(h+g,o),_,l,0),Dn(aa(v,y),ta(y-v))):Dn(0,l)}else Ln()}else{let e=ta(Qt-Jt),t=ta($t-Yt);if(D.ori==1){let n=e;e=t,t=n}an=rn.x&&e>=rn.dist,on=rn.y&&t>=rn.dist;let n=rn.uni;n==null?rn.x&&rn.y&&(an||on)&&(an=on=!0):an&&on&&(an=e>=n,on=t>=n,!an&&!on&&(t>e?on=!0:an=!0));let r,i;an&&(D.ori==0?(r=Xt,i=en):(r=Zt,i=tn),En(aa(r,i),ta(i-r)),on||Dn(0,l)),on&&(D.ori==1?(r=Xt,i=en):(r=Zt,i=tn),Dn(aa(r,i),ta(i-r)),an||En(0,c)),!an&&!on&&(En(0,0),Dn(0,0))}}if(rn._x=an,rn._y=on,e==null){if(a){if(Qn!=null){let[e,t]=Zn.scales;Zn.values[0]=e==null?null:Sn(D.ori==0?en:tn,e),Zn.values[1]=t==null?null:Sn(D.ori==1?en:tn,t)}er(ti,r,en,tn,R,z,o)}if(Be){let e=a&&Zn.setSeries,t=ze.prox;yn==null?_n<=t&&fn(vn,bn,!0,e):_n>t?fn(null,bn,!0,e):vn!=yn&&fn(vn,bn,!0,e)}}Ne&&(re.idx=o,kn()),n!==!1&&Yn(`setCursor`)}let Mn=null;Object.defineProperty(r,"rect",{get(){return Mn??Nn(!1),Mn}});function Nn(e=!1){e?Mn=null:(Mn=m.getBoundingClientRect(),Yn(`syncRect`,Mn))}function Pn(e,t,n,r,i,a,o){F._lock||nn&&e!=null&&e.movementX==0&&e.movementY==0||(Fn(e,t,n,r,i,a,o,!1,e!=null),e==null?jn(t,!0,!1):jn(null,!0,!0))}function Fn(e,t,n,i,a,o,c,l,u){if(Mn??Nn(!1),G(e),e!=null)n=e.clientX-Mn.left,i=e.clientY-Mn.top;else{if(n<0||i<0){en=-10,tn=-10;return}let[e,r]=Zn.scales,c=t.cursor.sync,[l,u]=c.values,[d,f]=c.scales,[p,m]=Zn.match,h=t.axes[0].side%2==1,g=D.ori==0?R:z,_=D.ori==1?R:z,v=h?o:a,y=h?a:o,x=h?i:n,S=h?n:i;if(n=d==null?x/v*g:p(e,d)?s(l,b[e],g,0):-10,i=f==null?S/y*_:m(r,f)?s(u,b[r],_,0):-10,D.ori==1){let e=n;n=i,i=e}}u&&(t==null||t.cursor.event.type==ti)&&((n<=1||n>=R-1)&&(n=Ea(n,R)),(i<=1||i>=z-1)&&(i=Ea(i,z))),l?(Jt=n,Yt=i,[Xt,Zt]=F.move(r,n,i)):(en=n,tn=i)}let In={width:0,height:0,left:0,top:0};function Ln(){ln(In,!1)}let Rn,zn,Bn,Vn;function Hn(e,t,n,i,a,o,s){nn=!0,an=on=rn._x=rn._y=!1,Fn(e,t,n,i,a,o,s,!0,!1),e!=null&&(ye(ri,pi,Un,!1),er(ni,r,Xt,Zt,R,z,null));let{left:c,top:l,width:u,height:d}=sn;Rn=c,zn=l,Bn=u,Vn=d}function Un(e,t,n,i,a,o,s){nn=rn._x=rn._y=!1,Fn(e,t,n,i,a,o,s,!1,!0);let{left:c,top:l,width:u,height:d}=sn,f=u>0||d>0,p=Rn!=c||zn!=l||Bn!=u||Vn!=d;if(f&&p&&ln(sn),rn.setScale&&f&&p){let e=c,t=u,n=l,r=d;if(D.ori==1&&(e=l,t=d,n=c,r=u),an&&dn(S,Sn(e,S),Sn(e+t,S)),on)for(let e in b){let t=b[e];e!=S&&t.from==null&&t.min!=pa&&dn(e,Sn(n+r,e),Sn(n,e))}Ln()}else F.lock&&(F._lock=!F._lock,jn(t,!0,e!=null));e!=null&&(be(ri,pi),er(ri,r,en,tn,R,z,null))}function Wn(e,t,n,r,i,a,o){if(F._lock)return;G(e);let s=nn;if(nn){let e=!0,t=!0,n,r;D.ori==0?(n=an,r=on):(n=on,r=an),n&&r&&(e=en<=10||en>=R-10,t=tn<=10||tn>=z-10),n&&e&&(en=en<Xt?0:R),r&&t&&(tn=tn<Zt?0:z),jn(null,!0,!0),nn=!1}en=-10,tn=-10,P.fill(null),jn(null,!0,!0),s&&(nn=s)}function Gn(e,t,n,i,a,o,s){F._lock||(G(e),ot(),Ln(),e!=null&&er(oi,r,en,tn,R,z,null))}function Kn(){y.forEach(jc),Pe(r.width,r.height,!0)}Mi(ui,mi,Kn);let qn={};qn.mousedown=Hn,qn.mousemove=Pn,qn.mouseup=Un,qn.dblclick=Gn,qn.setSeries=(e,t,n,i)=>{let a=Zn.match[2];n=a(r,t,n),n!=-1&&fn(n,i,!0,!1)},ae&&(ye(ni,m,Hn),ye(ti,m,Pn),ye(ii,m,e=>{G(e),Nn(!1)}),ye(ai,m,Wn),ye(oi,m,Gn),hc.add(r),r.syncRect=Nn);let Jn=r.hooks=e.hooks||{};function Yn(e,t,n){Lt?Rt.push([e,t,n]):e in Jn&&Jn[e].forEach(e=>{e.call(null,r,t,n)})}(e.plugins||[]).forEach(e=>{for(let t in e.hooks)Jn[t]=(Jn[t]||[]).concat(e.hooks[t])});let Xn=(e,t,n)=>n,Zn=Ga({key:null,setSeries:!1,filters:{pub:Sa,sub:Sa},scales:[S,v[1]?v[1].scale:null],match:[Ca,Ca,Xn],values:[null,null]},F.sync);Zn.match.length==2&&Zn.match.push(Xn),F.sync=Zn;let Qn=Zn.key,$n=Is(Qn);function er(e,t,n,r,i,a,o){Zn.filters.pub(e,t,n,r,i,a,o)&&$n.pub(e,t,n,r,i,a,o)}$n.sub(r);function tr(e,t,n,r,i,a,o){Zn.filters.sub(e,t,n,r,i,a,o)&&qn[e](null,t,n,r,i,a,o)}r.pub=tr;function nr(){$n.unsub(r),hc.delete(r),ve.clear(),Ni(ui,mi,Kn),l.remove(),I?.remove(),Yn(`destroy`)}r.destroy=nr;function rr(){Yn(`init`,e,t),at(t||e.data,!1),j[S]?Ut(S,j[S]):ot(),Me=sn.show&&(sn.width>0||sn.height>0),je=Ne=!0,Pe(e.width,e.height)}return v.forEach(Ke),y.forEach(Xe),n?n instanceof HTMLElement?(n.appendChild(l),rr()):n(r,rr):rr(),r}Mc.assign=Ga,Mc.fmtNum=Qi,Mc.rangeNum=qi,Mc.rangeLog=Vi,Mc.rangeAsinh=Hi,Mc.orient=zs,Mc.pxRatio=gi,Mc.join=Xa,Mc.fmtDate=lo,Mc.tzDate=fo,Mc.sync=Is;{Mc.addGap=Ws,Mc.clipGaps=Us;let e=Mc.paths={points:ic};e.linear=cc,e.stepped=lc,e.bars=dc,e.spline=pc}var Nc=827543617;function Pc(e,t){let n=new DataView(e);if(n.getUint32(0,!0)!==Nc)throw Error(`The server sent no study. Reload the page.`);let r=n.getUint32(4,!0),i=JSON.parse(new TextDecoder().decode(new Uint8Array(e,8,r)));if(!i.columns)return{data:i,count:t?.count??0,stride:i.stride,columns:t?.columns??[]};let{count:a,stride:o}=i,s=new Float32Array(e,8+r),c=0,l=()=>s.subarray(c,c+=a),u=i.columns.map(e=>{let t=l(),n=e.bounded?l():null,r=e.bounded?l():null;return{key:`${e.role}:${e.name}`,name:e.name,role:e.role,words:e.words,values:t,low:n,high:r,least:e.least,most:e.most,range:Fc(e,t)}});return u.length?{data:i,count:a,stride:o,columns:[{key:`index:point`,name:`point`,role:`index`,words:null,values:Float32Array.from({length:a},(e,t)=>t*o),low:null,high:null,least:null,most:null,range:[0,Math.max(1,(a-1)*o)]},...u]}:{data:i,count:a,stride:o,columns:u}}function Fc(e,t){if(e.words)return[-.5,Math.max(e.words.length,1)-.5];let n=e.least?.value??1/0,r=e.most?.value??-1/0;for(let e of t)e<n&&(n=e),e>r&&(r=e);return n<=r?n<r?[n,r]:[n-(Math.abs(n)||1)/2,r+(Math.abs(r)||1)/2]:[0,1]}function Ic(e,t){return e?.columns.find(e=>e.key===t)??null}function Lc(e){return e.columns.filter(e=>e.values.some(e=>!Number.isNaN(e)))}function Rc(e,t){let n=[...t].flatMap(([t,n])=>{let r=Ic(e,t);return r?[{values:r.values,range:n}]:[]});if(!n.length)return null;let r=new Uint8Array(e.count).fill(1);for(let{values:e,range:[t,i]}of n)for(let n=0;n<r.length;n++)e[n]>=t&&e[n]<=i||(r[n]=0);return r}function zc(e,t){return e.words?e.words[Math.round(t)]??``:Bc(t)}function Bc(e){return Number.isFinite(e)?e!==0&&(Math.abs(e)>=1e6||Math.abs(e)<.001)?e.toExponential(2):String(Number(e.toPrecision(5))):`–`}function Vc(e){let t=Math.round(e),n=Math.floor(t/3600),r=Math.floor(t%3600/60);return n?`${n} h ${r} min`:r?`${r} min ${t%60} s`:`${t} s`}function Hc(e,t){let[n,r]=e.range;if(e.words){let n=Math.ceil(e.words.length/Math.max(t,1));return e.words.flatMap((e,t)=>t%n?[]:[{at:t,text:e}])}let i=(r-n)/Math.max(t,1),a=10**Math.floor(Math.log10(i)),o=a*(i/a>5?10:i/a>2?5:i/a>1?2:1),s=[];for(let e=Math.ceil(n/o-1e-9);e*o<=r+1e-9*o;e++)s.push({at:e*o,text:Bc(Number((e*o).toPrecision(12)))});return s}var Uc={dark:[`#5468d4`,`#35a5b5`,`#8cc468`,`#f2d263`],light:[`#35318f`,`#1f7f91`,`#4f9440`,`#d08a10`]},Wc={dark:[`#5ab4c4`,`#e5916f`,`#e8c26a`,`#9c8cf0`,`#79b887`,`#d987b4`,`#8fa3bd`,`#c7a27c`],light:[`#1f7f91`,`#c2633d`,`#b0851b`,`#6a58d0`,`#3e8a52`,`#b04a85`,`#5d738f`,`#8c6239`]};function Gc(e){let{clientWidth:t,clientHeight:n}=e,r=devicePixelRatio,i=e.getContext(`2d`);if(!t||!n||!i)return null;let[a,o]=[Math.round(t*r),Math.round(n*r)];(e.width!==a||e.height!==o)&&Object.assign(e,{width:a,height:o}),i.setTransform(r,0,0,r,0,0),i.clearRect(0,0,t,n);let s=getComputedStyle(document.documentElement),c=e=>s.getPropertyValue(e).trim();return i.font=`11px ${c(`--font`)}`,{context:i,width:t,height:n,css:c}}function Kc(e,t){return e?e.words?e.words.map((e,n)=>Wc[t][n%Wc[t].length]):Array.from({length:48},(e,n)=>Jc(Uc[t],n/47)):[Wc[t][0]]}function qc(e,t,n){let r=[...t,``].map(()=>[]);if(!e)return[[...n]];let[i,a]=e.range;for(let o of n){let n=e.values[o],s=e.words?Math.round(n):Math.floor((n-i)/(a-i)*t.length);r[Number.isNaN(s)?t.length:Math.min(Math.max(s,0),t.length-1)].push(o)}return r}function Jc(e,t){let n=Math.min(t*(e.length-1),e.length-1.001),r=Math.floor(n),i=n-r,a=e=>[1,3,5].map(t=>parseInt(e.slice(t,t+2),16)),o=a(e[r]),s=a(e[r+1]);return`rgb(${o.map((e,t)=>Math.round(e+i*(s[t]-e))).join(` `)})`}function Yc(e,t,n){if(e.measureText(t).width<=n)return t;let r=t;for(;r.length>1&&e.measureText(`${r}…`).width>n;)r=r.slice(0,-1);return`${r}…`}var Xc=class{values;listeners=new Map;constructor(e){this.values=e}get(e){return this.values[e]}set(e,t){if(!Object.is(this.values[e],t)){this.values[e]=t;for(let n of[...this.listeners.get(e)??[]])n(t)}}patch(e,t){this.set(e,{...this.values[e],...t})}on(e,t,n=!1){let r=this.listeners.get(e)??new Set;return this.listeners.set(e,r),r.add(t),n&&t(this.values[e]),()=>r.delete(t)}};function Zc(){return new Xc({table:null,brushes:new Map,chosen:null,x:``,y:``,colour:``,axes:null,result:``,best:`least`})}function Qc(e,t,n){let r=!1,i=()=>{r||(r=!0,requestAnimationFrame(()=>(r=!1,n())))};for(let n of t)e.on(n,i);return i}function $c(e,t){let n=s(`div`,{class:`study-chart`}),r=s(`div`,{class:`row wrap study-fields`}),i=s(`div`,{class:`row study-best`}),a=Qc(t,[`table`,`result`,`best`],()=>m());e.store.on(`theme`,()=>(u=``,a())),new ResizeObserver(()=>o?.setSize(f())).observe(n);let o=null,l=``,u=``,d=`?`,f=()=>({width:Math.max(n.clientWidth,120),height:Math.max(n.clientHeight,60)}),p=G({label:`Best is the`,face:`Best`,help:`Whether the smallest or the largest value is the best.`,choices:[[`least`,`smallest`],[`most`,`largest`]],commit:e=>t.set(`best`,e)});function m(){let i=t.get(`table`),a=i?.columns.filter(e=>e.role===`result`&&!e.words)??[],s=a.map(({key:e})=>e).join();if(s!==l){l=s;let e=G({label:`Result`,help:`The result whose best value is shown.`,choices:a.map(({key:e,name:t})=>[e,t]),commit:e=>t.set(`result`,e)});c(r,e.element,p.element),e.show(t.get(`result`))}for(let e of r.querySelectorAll(`select[aria-label='Result']`))e.value=t.get(`result`);p.show(t.get(`best`));let d=Ic(i,t.get(`result`));if(g(d),!i||!d){o?.destroy(),o=null,u=``;return}let f=`${d.key} ${t.get(`best`)} ${e.store.get(`theme`)}`,m=el(i,d,t.get(`best`));if(o&&f===u)return void o.setData(m);u=f,o?.destroy(),o=new Mc(h(d.name),m,n)}function h(t){let n=getComputedStyle(document.documentElement),r=e=>n.getPropertyValue(e).trim(),i={stroke:r(`--quiet`),grid:{stroke:r(`--edge`),width:1},ticks:{show:!1},font:`11px ${r(`--font`)}`,size:22,gap:2},a=(e,t)=>t==null?`–`:Bc(t);return{...f(),padding:[8,10,0,0],scales:{x:{time:!1}},legend:{show:!1},cursor:{y:!1,points:{size:5}},axes:[{...i,label:`number of the point`,labelSize:16,labelFont:`11px ${r(`--font`)}`},{...i,size:62,values:(e,t)=>t.map(Bc)}],series:[{label:`point`},{label:t,stroke:r(`--faint`),width:0,paths:()=>null,points:{show:!0,size:3,fill:r(`--faint`)},value:a},{label:`best ${t}`,stroke:Kc(null,e.store.get(`theme`))[0],width:2,points:{show:!1},spanGaps:!0,value:a}]}}function g(e){let n=e&&(t.get(`best`)===`least`?e.least:e.most),r=JSON.stringify([e?.key,t.get(`best`),n]);if(r!==d){if(d=r,!n)return c(i,s(`span`,{class:`quiet-text`},`No value yet.`));c(i,s(`span`,{class:`number`},`${t.get(`best`)===`least`?`Smallest`:`Largest`} ${e.name}: ${Bc(n.value)}`),q(`Point ${n.point}`,`Shows the values of this point.`,()=>t.set(`chosen`,n.point),`quiet small`))}}return s(`section`,{class:`study-box study-best-box`,"aria-label":`Best so far`},s(`header`,null,s(`h3`,null,`Best so far`),r),n,i)}function el({count:e,stride:t},n,r){let i=r===`least`?1:-1,a=(r===`least`?n.low:n.high)??n.values,o=[],s=[],c=[],l=null;for(let r=0;r<e;r++){let e=a[r],u=n.values[r];!Number.isNaN(e)&&(l===null||i*e<i*l)&&(l=e),o.push(r*t),s.push(Number.isNaN(u)?null:u),c.push(l)}return[o,s,c]}function tl(e,t){let n=s(`div`,{class:`study-row`,"aria-live":`polite`}),r=W(e,{label:`Point number`,face:`Point`,help:`Number of the point to show; the first one is 0.`,min:0,step:1,empty:`–`,digits:12,commit:e=>t.set(`chosen`,e===null?null:Math.round(e))}),i=``,a=async()=>{let a=t.get(`chosen`),o=t.get(`table`)?.data;r.show(a);let l=`${o?.study} ${o?.revision} ${a}`;if(l===i)return;if(i=l,a===null||!o?.begun)return c(n,s(`p`,{class:`quiet-text`},`Click a point in the scatter plot, or enter its number.`));let u=await e.run(`get_study_point`,{study:o.study,point:a});if(l===i){if(!u)return t.set(`chosen`,null);c(n,nl(u))}};return t.on(`chosen`,()=>void a()),t.on(`table`,()=>void a()),a(),s(`section`,{class:`study-box study-details`,"aria-label":`Chosen point`},s(`header`,null,s(`h3`,null,`Chosen point`),r.element),n)}function nl({status:e,values:t,results:n,message:r,worker:i}){let a=(e,t)=>[s(`tr`,null,s(`th`,{colSpan:2,scope:`colgroup`},e)),...Object.entries(t).map(([e,t])=>s(`tr`,null,s(`td`,null,e),s(`td`,{class:`number`},rl(t))))];return[s(`table`,null,s(`tbody`,null,a(`Point`,t),Object.keys(n).length>0&&a(`Results`,n),s(`tr`,null,s(`td`,null,`status`),s(`td`,{class:e===`done`||e===`missing`?`number`:`number study-bad`},e)))),...r?[s(`p`,{class:`study-message`},r),s(`p`,{class:`quiet-text`},`Worker ${i}`)]:[]]}function rl(e){return Array.isArray(e)?e.map(rl).join(`, `):e===null?`not a number`:String(typeof e==`number`&&!Number.isInteger(e)?Number(e.toPrecision(9)):e)}function il(e){let t=s(`div`,{class:`study-failures`}),n=s(`span`,{class:`quiet-text`}),r=``;return e.on(`table`,i=>{let a=i?.data,o=a?.failures??[],l=a?.faults??[],u=JSON.stringify([o,l]);n.textContent=a?.failed?`${a.failed.toLocaleString(`en`)}${a.failed>o.length?`; the first ${o.length} are listed`:``}`:``,u!==r&&(r=u,c(t,l.map(e=>s(`p`,{class:`study-message`},e)),o.length>0&&s(`table`,null,s(`thead`,null,s(`tr`,null,[`Point`,`Kind`,`Message`].map(e=>s(`th`,{scope:`col`},e)))),s(`tbody`,null,o.map(({point:t,failure:n,message:r})=>s(`tr`,null,s(`td`,null,q(Bc(t),`Shows the values of this point.`,()=>e.set(`chosen`,t),`quiet small`,`Point ${t}`)),s(`td`,null,n),s(`td`,null,r))))),!o.length&&!l.length&&s(`p`,{class:`quiet-text`},`No point has failed.`)))},!0),s(`section`,{class:`study-box`,"aria-label":`Failures`},s(`header`,null,s(`h3`,null,`Failures`),n),t)}var al=24,ol=12,sl=50,cl=5e3,ll=9,ul=.02;function dl(e,t){let n=s(`canvas`,{class:`study-canvas`}),r=s(`div`,{class:`study-axes`}),i=s(`span`,{class:`quiet-text`,role:`status`}),a=q(`Clear selection`,`Selects all points again.`,()=>t.set(`brushes`,new Map),`quiet small`),o=xe(`Axes`,`Axes`,`Chooses the columns that have an axis.`,()=>{let e=t.get(`table`),n=e?d(e).map(({key:e})=>e):[];return(e?Lc(e):[]).map(({key:e,name:r,role:i})=>({label:i===`index`?`number of the point`:r,checked:n.includes(e),run:()=>t.set(`axes`,n.includes(e)?n.filter(t=>t!==e):[...n,e])}))});o.querySelector(`button`).className=`quiet small`;let l=Qc(t,[`table`,`brushes`,`chosen`,`colour`,`axes`],f);e.store.on(`theme`,l),new ResizeObserver(l).observe(n);let u=``;function d(e){let n=t.get(`axes`),r=Lc(e);return n?r.filter(({key:e})=>n.includes(e)):r.filter(({role:e})=>e!==`index`).slice(0,ll)}function f(){let r=t.get(`table`),o=Gc(n);if(!r||!o)return;let s=d(r),{context:c,width:l,height:u,css:f}=o,m=t.get(`brushes`),h=e=>s.length<2?l/2:sl+e*(l-100)/(s.length-1),g=(e,t)=>u-ol-fl(e,t)*(u-al-ol),_=Ic(r,t.get(`colour`)),v=Kc(_,e.store.get(`theme`)),y=Rc(r,m),b=Math.ceil(r.count/cl)||1,x=[...Array(r.count).keys()].filter(e=>e%b===0),S=(e,t)=>{c.globalAlpha=t,c.lineWidth=1,qc(_,v,e).forEach((e,t)=>{c.strokeStyle=v[t]??f(`--faint`),c.beginPath();for(let t of e)C(t);c.stroke()}),c.globalAlpha=1},C=e=>{let t=!1;s.forEach((n,r)=>{let i=n.values[e];if(Number.isNaN(i))return void(t=!1);t?c.lineTo(h(r),g(n,i)):c.moveTo(h(r),g(n,i)),t=!0})},w=e=>Math.min(.8,Math.max(.08,60/Math.max(e,1)));y&&S(x.filter(e=>!y[e]),.05);let T=y?x.filter(e=>y[e]):x;S(T,w(T.length));let E=t.get(`chosen`);E!==null&&E%r.stride===0&&E/r.stride<r.count&&(c.strokeStyle=f(`--text`),c.lineWidth=2.5,c.beginPath(),C(E/r.stride),c.stroke()),s.forEach((e,t)=>O(e,h(t),t)),p(s,h,u);let D=y?y.reduce((e,t)=>e+t,0):r.count;i.textContent=`${y?`${D.toLocaleString(`en`)} of ${r.count.toLocaleString(`en`)} shown points selected`:`Drag on an axis to select points.`}${b>1?` Lines of every ${b}th shown point.`:``}`,a.disabled=!m.size;function O(e,t,n){c.strokeStyle=f(`--edge-strong`),c.lineWidth=1,c.beginPath(),c.moveTo(Math.round(t)+.5,al),c.lineTo(Math.round(t)+.5,u-ol),c.stroke(),c.textAlign=n===s.length-1&&s.length>1?`right`:`left`;let r=c.textAlign===`right`?-5:5,i=s.length>1?h(1)-h(0):l;for(let{at:n,text:a}of Hc(e,Math.max(2,u/45))){let o=Yc(c,a,Math.min(80,i-8)),s=g(e,n)+4,l=c.measureText(o).width;c.fillStyle=f(`--panel`),c.globalAlpha=.75,c.fillRect(t+r-(r<0?l:0)-1,s-10,l+2,13),c.globalAlpha=1,c.fillStyle=f(`--quiet`),c.fillText(o,t+r,s)}c.fillStyle=f(`--text`),c.textAlign=`center`,c.fillText(Yc(c,e.role===`index`?`number of the point`:e.name,Math.min(i-6,96)),t,14)}}function p(e,n,i){let a=e.map(({key:e})=>e).join();a!==u&&(u=a,c(r,e.map(({key:e})=>m(e)))),e.forEach((e,a)=>{let o=r.children[a],s=t.get(`brushes`).get(e.key),c=o.firstElementChild;Object.assign(o.style,{left:`${n(a)-13}px`,top:`${al}px`,height:`${i-al-ol}px`}),c.hidden=!s;let[l,u]=s?[fl(e,s[0]),fl(e,s[1])]:[0,1];s&&Object.assign(c.style,{bottom:`${100*l}%`,height:`${100*Math.max(u-l,.005)}%`});let[d,f]=e.range;for(let[t,n]of Object.entries({valuemin:d,valuemax:f,valuenow:s?(s[0]+s[1])/2:(d+f)/2,valuetext:s?`from ${zc(e,s[0])} to ${zc(e,s[1])}`:`all`,label:`Selection of ${e.name}`}))o.setAttribute(`aria-${t}`,String(n))})}function m(e){let n=s(`div`,{class:`study-axis`,tabIndex:0,role:`slider`,"aria-orientation":`vertical`,dataset:{axis:e},help:`Drag to select a part of this axis; click to select all. Keys: Enter selects, ↑ ↓ move, Shift ↑ ↓ widen or narrow, Delete clears.`},s(`div`,{class:`study-brush`,hidden:!0}));n.dataset.tip=`none`;let r=n=>{let r=new Map(t.get(`brushes`)),i=Ic(t.get(`table`),e);n&&i?r.set(e,[pl(i,Math.min(...n)),pl(i,Math.max(...n))]):r.delete(e),t.set(`brushes`,r)},i=null,a=e=>{let t=n.getBoundingClientRect();return Math.min(1,Math.max(0,1-(e.clientY-t.top)/t.height))};return n.addEventListener(`pointerdown`,e=>(n.setPointerCapture(e.pointerId),i=a(e))),n.addEventListener(`pointermove`,e=>i!==null&&Math.abs(a(e)-i)>ul&&r([i,a(e)])),n.addEventListener(`pointerup`,e=>{i!==null&&Math.abs(a(e)-i)<=ul&&r(null),i=null}),n.addEventListener(`pointercancel`,()=>i=null),n.addEventListener(`keydown`,n=>{let i=Ic(t.get(`table`),e),a=t.get(`brushes`).get(e);if(!i)return;let o=a?[fl(i,a[0]),fl(i,a[1])]:null,s=n.key===`ArrowUp`?.05:n.key===`ArrowDown`?-.05:0;if(n.key===`Enter`||n.key===` `)r(o??[.25,.75]);else if(n.key===`Delete`||n.key===`Backspace`||n.key===`Escape`&&o)r(null);else if(s&&!o)r(s>0?[.5,1]:[0,.5]);else if(s&&o&&n.shiftKey)r([Math.max(0,o[0]-s/2),Math.min(1,Math.max(o[1]+s/2,o[0]-s/2+ul))]);else if(s&&o){let e=Math.max(-o[0],Math.min(1-o[1],s));r([o[0]+e,o[1]+e])}else return;n.preventDefault(),n.stopPropagation()}),n}return s(`section`,{class:`study-box study-parallel`,"aria-label":`Parallel coordinates`},s(`header`,null,s(`h3`,null,`Parallel coordinates`),i,s(`div`,{class:`spread`}),a,o),s(`div`,{class:`study-stack`},n,r))}function fl({range:[e,t]},n){return(n-e)/(t-e)}function pl({range:[e,t]},n){return e+n*(t-e)}var ml=62,hl=14,gl=8,_l=36,vl=14,yl=2e3;function bl(e,t){let n=s(`canvas`,{class:`study-canvas`,tabIndex:0,role:`img`,help:`Scatter plot. Click a point to show its values; the arrow keys go to the next or previous point.`}),r=s(`div`,{class:`row wrap study-fields`}),i=s(`div`,{class:`study-legend`}),a=s(`p`,{class:`quiet-text study-empty`,hidden:!0},`No point is done yet.`),o=Qc(t,[`table`,`brushes`,`chosen`,`x`,`y`,`colour`],p);e.store.on(`theme`,o),new ResizeObserver(o).observe(n);let l=``,u=[];function d(e){let n=Ic(e,t.get(`x`)),r=Ic(e,t.get(`y`));return n&&r?{x:n,y:r,colour:Ic(e,t.get(`colour`))}:null}function f(e){let n=Lc(e),i=n.map(({key:e})=>e).join();if(i!==l){l=i;let e=n.map(({key:e,name:t,role:n})=>[e,n===`index`?`number of the point`:t]),a=(n,r,i,a)=>G({label:n,face:r,help:i,choices:a===`colour`?[[``,`one colour`],...e]:e,commit:e=>t.set(a,e)});u=[a(`Scatter: across`,`Across`,`The column of the horizontal axis.`,`x`),a(`Scatter: up`,`Up`,`The column of the vertical axis.`,`y`),a(`Scatter: colour`,`Colour`,`The column that gives the points their colour.`,`colour`)],c(r,u.map(({element:e})=>e))}u.forEach((e,n)=>e.show(t.get([`x`,`y`,`colour`][n])))}function p(){let r=t.get(`table`),o=Gc(n);if(!r)return void c(i);f(r);let s=d(r);if(a.hidden=!!s,!s||!o)return;let{context:l,width:u,height:p,css:h}=o,{x:g,y:_,colour:v}=s,y=e.store.get(`theme`),b=e=>ml+xl(g,g.values[e])*(u-ml-hl),x=e=>p-_l-xl(_,_.values[e])*(p-gl-_l);l.strokeStyle=h(`--edge`),l.fillStyle=h(`--quiet`),l.lineWidth=1,l.textAlign=`center`;for(let{at:e,text:t}of Hc(g,Math.max(2,(u-ml)/80))){let n=Math.round(ml+xl(g,e)*(u-ml-hl))+.5;Cl(l,n,gl,n,p-_l),l.fillText(Yc(l,t,90),n,p-_l+14)}l.textAlign=`right`;for(let{at:e,text:t}of Hc(_,Math.max(2,(p-_l)/45))){let n=Math.round(p-_l-xl(_,e)*(p-gl-_l))+.5;Cl(l,ml,n,u-hl,n),l.fillText(Yc(l,t,54),56,n+4)}l.textAlign=`center`,l.fillStyle=h(`--text`),l.fillText(Sl(g),ml+(u-ml-hl)/2,p-6);let S=Kc(v,y),C=t.get(`chosen`),w=Rc(r,t.get(`brushes`)),T=r.count>yl?3:6,E=(e,t)=>{l.globalAlpha=t,qc(v,S,e).forEach((e,t)=>{l.fillStyle=S[t]??h(`--faint`);for(let t of e){let[e,n]=[b(t),x(t)];Number.isNaN(e+n)||(T<4?l.fillRect(e-1.5,n-1.5,3,3):(l.beginPath(),l.arc(e,n,3,0,7),l.fill()))}}),l.globalAlpha=1},D=[...Array(r.count).keys()];w&&E(D.filter(e=>!w[e]),.1),E(w?D.filter(e=>w[e]):D,.85);let O=C===null||C%r.stride?-1:C/r.stride;O>=0&&O<r.count&&!Number.isNaN(b(O)+x(O))&&(l.strokeStyle=h(`--text`),l.lineWidth=2,l.beginPath(),l.arc(b(O),x(O),7,0,7),l.stroke()),n.setAttribute(`aria-label`,`Scatter plot of ${_.name} over ${g.name}, ${w?w.reduce((e,t)=>e+t,0):r.count} points`),m(v,S)}function m(e,t){if(!e)return c(i);if(e.words)return c(i,e.words.slice(0,12).map((e,n)=>s(`span`,{class:`study-key`},s(`i`,{style:{background:t[n]}}),e)));let n=s(`i`,{class:`study-ramp`,style:{background:`linear-gradient(to right, ${t.filter((e,t)=>t%6==0).join(`, `)})`}});c(i,s(`span`,{class:`study-key`},e.name,s(`small`,{class:`number`},zc(e,e.range[0])),n,s(`small`,{class:`number`},zc(e,e.range[1]))))}return n.addEventListener(`click`,e=>{let r=t.get(`table`),i=r&&d(r),a=n.getBoundingClientRect();if(!r||!i)return;let o=Rc(r,t.get(`brushes`)),{x:s,y:c}=i,[l,u]=[a.width,a.height],f=vl**2,p=null;for(let t=0;t<r.count;t++){if(o&&!o[t])continue;let n=ml+xl(s,s.values[t])*(l-ml-hl)-(e.clientX-a.left),i=u-_l-xl(c,c.values[t])*(u-gl-_l)-(e.clientY-a.top);n*n+i*i<f&&(f=n*n+i*i,p=t*r.stride)}t.set(`chosen`,p)}),n.addEventListener(`keydown`,e=>{let n={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[e.key],r=t.get(`table`);if(!n||!r?.count)return;e.preventDefault(),e.stopPropagation();let i=Rc(r,t.get(`brushes`)),a=t.get(`chosen`),o=a===null?n>0?-1:r.count:Math.round(a/r.stride);do o+=n;while(i&&o>=0&&o<r.count&&!i[o]);o>=0&&o<r.count&&t.set(`chosen`,o*r.stride)}),s(`section`,{class:`study-box study-scatter`,"aria-label":`Scatter plot`},s(`header`,null,s(`h3`,null,`Scatter`),r),n,a,i)}function xl({range:[e,t]},n){return .02+.96*((n-e)/(t-e))}function Sl({role:e,name:t}){return e===`index`?`number of the point`:t}function Cl(e,t,n,r,i){e.beginPath(),e.moveTo(t,n),e.lineTo(r,i),e.stroke()}var wl=1e3,Tl=`M20 12a8 8 0 1 1-2.500-5.800M20 3v4.500h-4.500`,El=class{app;shell;element=s(`section`,{class:`studies`,"aria-label":`Studies`,hidden:!0});state=Zc();list=s(`div`,{class:`study-list`,role:`group`,"aria-label":`Studies in the workspace`});head=s(`div`,{class:`study-head`});runBox=s(`div`,{class:`study-run`});plots;hint=s(`p`,{class:`quiet-text study-hint`});opened=null;data=null;timer=0;failed=``;starting=!1;told=``;waits=!0;workers=null;retry=!1;constructor(e,t){this.app=e,this.shell=t;let{state:n}=this,r=Re(e,{label:`Path of a study`,face:``,help:`A study file (.toml) or the folder of a study, relative to the workspace. Enter opens it; no code is run.`,placeholder:`Path in the workspace …`,commit:e=>e&&void this.open(e)});this.plots=s(`div`,{class:`study-plots`,hidden:!0},bl(e,n),$c(e,n),dl(e,n),s(`div`,{class:`study-side`},tl(e,n),il(n))),c(this.element,s(`header`,{class:`studies-bar`},s(`h2`,null,`Studies`),this.head,f(A.close,`Close the studies`,`Closes this page (Esc). A running study goes on.`,()=>this.show(!1))),s(`nav`,{class:`studies-left`,"aria-label":`Choose a study`},s(`div`,{class:`row`},s(`h4`,{class:`spread`},`In the workspace`),f(Tl,`List again`,`Looks for studies in the workspace again.`,()=>void this.relist())),this.list,r.element,this.runBox),s(`div`,{class:`studies-main`},this.hint,this.plots)),this.element.addEventListener(`keydown`,e=>{e.key!==`Escape`||e.defaultPrevented||(e.preventDefault(),this.show(!1))}),this.makeRunBox(),this.update(null),e.connection.onStatus(e=>e===`open`&&this.opened&&void this.open(this.opened.file||this.opened.folder)),t.append(this.element)}toggle(){this.show(!!this.element.hidden)}show(e){this.element.hidden=!e;for(let t of this.shell.children)t!==this.element&&t.matches(`.stage, .column, .below, .sheet-panel`)&&(t.inert=e);if(clearTimeout(this.timer),!e)return void this.shell.querySelector(`[data-studies]`)?.focus();this.relist().then(()=>this.list.querySelector(`button`)?.focus()),this.look()}async relist(){let e=await this.app.run(`list_studies`,{});e&&(c(this.list,e.studies.map(e=>this.row(e)),!e.studies.length&&s(`p`,{class:`quiet-text`},`The workspace contains no study file (.toml) and no folder of a study.`),e.more&&s(`p`,{class:`quiet-text`},`There are more; enter a path to open one of them.`)),this.mark())}row({path:e,folder:t,begun:n,running:r}){return s(`button`,{type:`button`,class:`file-row`,dataset:{study:e},help:`Shows this study. No code is run.`,onclick:()=>void this.open(e)},s(`span`,{class:`spread`},e,e!==t&&s(`small`,{class:`quiet-text`},t)),s(`small`,{class:r?`study-live`:`quiet-text`},r?`running`:n?``:`not run yet`))}mark(){let e=this.opened?.file||this.opened?.folder;for(let t of this.list.querySelectorAll(`[data-study]`))t.setAttribute(`aria-current`,String(t.dataset.study===e))}async open(e){let t=await this.app.run(`open_study`,{path:e});if(t){if(t.file!==this.opened?.file||t.folder!==this.opened?.folder){this.waits=!0,this.state.set(`chosen`,null),this.state.set(`brushes`,new Map),this.state.set(`axes`,null);for(let e of[`x`,`y`,`colour`,`result`])this.state.set(e,``)}this.opened=t,this.failed=``,this.state.set(`table`,null),this.mark(),await this.look()}}async look(){clearTimeout(this.timer);let{opened:e}=this;if(e&&!this.failed&&this.app.connection.status===`open`){let t=this.state.get(`table`);try{let n=await a(`/study/${e.study}?have=${t?t.data.revision:``}`);if(!n.ok)throw Error(await n.text());let r=await n.arrayBuffer();if(e!==this.opened)return;this.update(Pc(r,t))}catch(t){if(e!==this.opened)return;this.app.connection.status===`open`&&(this.failed=t.message),this.update(null)}}clearTimeout(this.timer),this.element.hidden||(this.timer=window.setTimeout(()=>void this.look(),wl))}update(e){(e?.data.running||e?.data.message)&&(this.starting=!1);let t=this.state.get(`table`);(!e||!t||e.data.study!==t.data.study||e.data.revision!==t.data.revision)&&(e&&this.choose(e),this.state.set(`table`,e)),this.data=e?.data??null;let n=e?.data??null,r=!!e&&e.count>0;this.plots.hidden=!r,this.hint.hidden=r,this.hint.textContent=this.failed||(this.opened?n?n.begun?`The study has no points yet.`:`This study has not been run yet. Press Run the study to start it here, or run it with 'anthropi study'.`:`Reading …`:`Choose a study on the left. A study computes one function at many points: a sweep, samples or a search.`),this.showHead(n),this.showRun(n);let i=`${n?.begun} ${n?.running}`;n&&i!==this.told&&this.relist(),n&&(this.told=i)}choose(e){let{state:t}=this,n=Lc(e),r=t=>!!Ic({...e,columns:n},t),i=n.filter(({role:e,range:t,words:n})=>e===`point`&&(n||t[0]<t[1])),a=n.filter(({role:e})=>e===`result`),o=a.filter(({words:e})=>!e),s=o.find(({name:t})=>t===e.data.minimise)??o[0];r(t.get(`x`))||t.set(`x`,i[0]?.key??`index:point`),(!r(t.get(`y`))||this.waits&&s)&&t.set(`y`,(s??i[1]??i[0])?.key??`index:point`),!r(t.get(`colour`))&&a.length&&t.set(`colour`,(i[1]??o.find(e=>e!==s)??s??a[0]).key),!r(t.get(`result`))&&s&&t.set(`result`,s.key),s&&(this.waits=!1)}showHead(e){if(!e?.begun)return c(this.head,this.opened&&s(`b`,null,this.opened.file||this.opened.folder));let{done:t,total:n,failed:r,rate:i,left:a,workers:o,running:l,own:u,search:d}=e,f=e=>e.toLocaleString(`en`),p=l?u?`Running`:`Running in another process`:t>=n&&n>0&&!d?`Done`:d&&!l?`Not running`:`Stopped`,m=[`${f(t)} of ${f(n)} points${d?` so far`:``}`,r?`${f(r)} failed`:`none failed`,l&&i>0?`${Bc(Number(i.toPrecision(3)))} per second`:``,l&&a!==null?`${Vc(a)} left`:``,l&&o?`${o} worker${o>1?`s`:``}`:``,e.stride>1?`every ${e.stride}th point is shown`:``];c(this.head,s(`b`,null,e.file||e.folder),s(`span`,{class:`quiet-text`},e.function),s(`progress`,{max:Math.max(n,1),value:Math.min(t,n),"aria-label":`Points done`}),s(`span`,{class:`study-state ${l?`study-live`:``}`},p),s(`span`,{class:`number study-count`},m.filter(Boolean).join(` · `)))}runButton=q(`Run the study`,`Runs this study file. It goes on where an earlier run stopped.`,()=>void this.start(),`primary`);stopButton=q(`Stop the study`,`Stops the study as Ctrl-C does. Points that are done are kept.`,()=>void this.stop(),`danger`);message=s(`p`,{class:`study-message`,role:`status`});makeRunBox(){let e=W(this.app,{label:`Workers`,help:`Number of processes; empty: one for each CPU.`,min:1,max:1024,step:1,empty:`all CPUs`,commit:e=>this.workers=e===null?null:Math.round(e)}),t=K({label:`Compute failed points again`,help:`Whether points that failed in an earlier run are computed again.`,commit:e=>this.retry=e});c(this.runBox,s(`h4`,null,`Run`),e.element,t.element,s(`div`,{class:`row`},this.runButton,this.stopButton),this.message,s(`p`,{class:`quiet-text`},`Run imports and runs the Python code that the study file names, with your rights, in a process of its own. Run only files that you trust. Only files in the workspace can be run.`))}showRun(e){let t=!!e?.running||!!e?.own||this.starting;this.runBox.hidden=!this.opened,this.runButton.disabled=t||!this.opened?.file,this.stopButton.disabled=!e?.own,this.message.textContent=e?.running&&!e.own&&!this.starting?`Another process runs this study; stop it there.`:this.opened?.file?t?``:e?.message??``:`Open the study file (.toml) to run this study.`}async start(){if(!this.opened?.file)return;this.starting=!0,this.showRun(this.data);let{study:e}=this.opened;await this.app.connection.send(`start_study`,{study:e,workers:this.workers,retry:this.retry}).catch(e=>this.app.notify({tone:`error`,text:e.message})),this.starting=!1,await this.look()}async stop(){this.opened&&(await this.app.run(`stop_study`,{study:this.opened.study}),await this.look())}},Dl=class{shell;element=s(`section`,{class:`sheet-panel`,hidden:!0});title=s(`h2`);tools=s(`div`,{class:`row sheet-tools`});content=s(`div`,{class:`sheet-content`});now=``;constructor(e){this.shell=e,c(this.element,s(`header`,null,this.title,this.tools,f(A.close,`Close this panel`,`Closes this panel (Esc).`,()=>this.close())),this.content),this.element.addEventListener(`keydown`,e=>{e.key!==`Escape`||e.defaultPrevented||(e.preventDefault(),this.close())}),e.append(this.element)}get open(){return this.now}toggle(e,t,n=[]){if(this.now===e)return this.close();this.show(e,t,n)}show(e,t,n=[]){this.now=e,this.title.textContent=e,this.element.setAttribute(`aria-label`,e),c(this.tools,n),c(this.content,t),this.element.hidden=!1,this.shell.classList.add(`with-sheet`),dispatchEvent(new Event(`resize`))}close(){this.now=``,this.element.hidden=!0,this.shell.classList.remove(`with-sheet`),dispatchEvent(new Event(`resize`))}};function Ol(e,t,n){De(t);let r=e.dialogs.parentElement,i=new Dl(r),a=new Jt(t,r),o=new qn(t),l=Cr(t),u=()=>i.toggle(`Gait`,l.element,l.tools),d=()=>i.toggle(`Curves`,o.element),f=new El(t,r),p=()=>f.toggle(),m=kl(t,e.right,(e,t)=>{o.of(e,t),i.show(`Curves`,o.element)}),h=wn(t,n,{build:()=>a.open(),dofs:()=>Al(r,e.right,()=>m.show(`dofs`))});c(e.left,s(`div`,{class:`commands-panel`},h,Qt(t,e=>e?void a.fresh():a.open()),en(t),En(t)),a.element),_t(e.bar,t,{gait:u,curves:d,studies:p}),t.shortcut(`shift+g`,`Gait: three levels`,u),t.shortcut(`shift+s`,`Studies: progress and plots`,p),t.shortcut(`shift+k`,`Curves: keys and control functions`,d),Tr(t)}function kl(e,t,n){let r={dofs:or(e,n),forces:Yn(e),live:$n(e)},i=e=>{a.show(e);for(let[t,n]of Object.entries(r))n.hidden=t!==e},a=ze(`Right panel`,[[`dofs`,`Joints`,`Degrees of freedom of the joints: sliders within limits, rotation order, locks, springs, drives.`],[`forces`,`Forces`,`Forces and moments on links.`],[`live`,`Live`,`The live run: start, speed, style, direction, ground, pushes, numbers.`]],i);a.element.classList.add(`tabs`),c(t,a.element,Object.values(r)),i(`dofs`);let o=e.store.on(`run`,e=>{e&&e.state!==`stopped`&&(o(),i(`live`))});return{show:i}}function Al(e,t,n){e.classList.contains(`no-right`)&&t.parentElement?.querySelector(`.fold button`)?.click(),n(),t.querySelector(`select, input`)?.focus()}function jl(e,t){try{let n=y.read(S(t.textContent??``));t.remove();let{title:r,caption:i,speed:a}=n.header;document.title=r||`AnthroPI`,e.store.set(`pace`,a&&a>0?a:1),n.header.forces!==void 0&&e.store.patch(`shown`,{forces:n.header.forces}),e.store.set(`motion`,n),e.store.set(`time`,n.start),e.store.set(`playing`,n.span>0&&!matchMedia(`(prefers-reduced-motion: reduce)`).matches);let o=document.querySelector(`.bar-panels`),s=document.createElement(`h1`);s.textContent=r;let c=document.createElement(`p`);c.textContent=i??``,o?.append(s,c)}catch(t){g(e,t)}}var Ml={angle:`Angles`,rate:`Rates`,torque:`Joint torques and forces`,acceleration:`Accelerations`,place:`Centre of mass`,force:`Ground reaction`};function Nl(e){return`${e.figure??0}/${e.group}/${e.name}`}function Pl(e){let t=(t,n,r)=>e.header.channels.filter(e=>e.group===t&&n.test(e.name)).slice(0,r),n=t=>{let n=e.column(t);return n.reduce((e,t)=>Math.max(e,t),-1/0)-n.reduce((e,t)=>Math.min(e,t),1/0)},r=t(`angle`,/_(hip\.y|knee|hip)$/,4),i=t(`torque`,/_(knee|ankle)/,2).filter(e=>n(e)>1e-6);return[...r.some(e=>n(e)>.02)?r:t(`angle`,/./,200).map(e=>[e,n(e)]).sort((e,t)=>t[1]-e[1]).slice(0,4).map(([e])=>e),...i].map(Nl)}function Fl(e){let t=e.store.get(`motion`);if(!t)return;let n=s(`div`,{class:`channel-list`}),r=s(`input`,{type:`search`,placeholder:`Search: knee, torque, force …`,"aria-label":`Search channels`,help:`Shows only channels whose name or group contains this text.`}),i=()=>{let i=r.value.toLowerCase().split(/\s+/).filter(Boolean),o=new Set(e.store.get(`channels`)),l=t.header.channels.filter(e=>i.every(t=>`${e.group} ${e.name} ${Ml[e.group]??``}`.toLowerCase().includes(t))),u=new Map;for(let e of l)u.set(e.group,[...u.get(e.group)??[],e]);c(n,[...u].map(([e,t])=>s(`section`,null,s(`h4`,null,Ml[e]??e),s(`div`,{class:`channel-grid`},t.map(e=>{let t=Nl(e);return s(`label`,null,s(`input`,{type:`checkbox`,checked:o.has(t),onchange:e=>a(t,e.target.checked)}),s(`span`,null,e.name))})))),!l.length&&s(`p`,{class:`quiet-text`},`No channel has this name.`))},a=(t,n)=>{let r=e.store.get(`channels`).filter(e=>e!==t);e.store.set(`channels`,n?[...r,t]:r)};r.addEventListener(`input`,i),i(),j(`Channels to plot`,s(`div`,{class:`channels`},s(`div`,{class:`row`},r,s(`button`,{class:`quiet`,type:`button`,onclick:()=>(e.store.set(`channels`,[]),i())},`None`)),n)),r.focus()}var Il={dark:[`#5ab4c4`,`#e5916f`,`#e8c26a`,`#9c8cf0`,`#79b887`,`#d987b4`,`#8fa3bd`,`#c7a27c`],light:[`#1f7f91`,`#c2633d`,`#b0851b`,`#6a58d0`,`#3e8a52`,`#b04a85`,`#5d738f`,`#8c6239`]},Ll=300,Rl=class{app;element=s(`div`,{class:`plots`});charts=[];asked=!1;chosenFor=null;constructor(e,t){this.app=e,t.append(this.element);let{store:n}=e;n.on(`motion`,e=>this.take(e),!0),n.on(`channels`,()=>this.build()),n.on(`theme`,()=>this.build()),n.on(`time`,()=>this.redraw()),n.on(`range`,([e,t])=>this.charts.forEach(n=>n.setScale(`x`,{min:e,max:t}))),new ResizeObserver(()=>this.resize()).observe(this.element)}take(e){let t=e?e.header.channels.map(Nl).join():null,n=t===this.chosenFor;if(this.chosenFor=t,e&&!n){let t=new Set(e.header.channels.map(Nl)),n=this.app.store.get(`channels`).filter(e=>t.has(e));this.app.store.set(`channels`,n.length?n:Pl(e))}this.build()}build(){for(let e of this.charts)e.destroy();this.charts=[],this.element.parentElement?.classList.toggle(`nothing`,!this.app.store.get(`motion`)?.header.channels.length);let e=this.app.store.get(`motion`),t=this.app.store.get(`channels`).map(t=>e?.header.channels.find(e=>Nl(e)===t)).filter(e=>!!e),n=new Map;for(let e of t)n.set(`${e.group} [${e.unit}]`,[...n.get(`${e.group} [${e.unit}]`)??[],e]);let r=s(`button`,{class:`quiet small add-channel`,type:`button`,help:`Chooses the plotted channels: angles, rates, torques, centre of mass, ground reaction.`,onclick:()=>Fl(this.app)},d(A.add,!1,14),`Channels`);if(c(this.element,[...n].map(([e])=>s(`figure`,{class:`chart`,dataset:{title:e}},s(`figcaption`,null,e))),r,!t.length&&s(`p`,{class:`quiet-text plots-empty`},`No channels are plotted. Press Channels to choose some.`)),!e||e.frames<2)return;let i=[...this.element.querySelectorAll(`.chart`)];[...n.values()].forEach((t,n)=>this.charts.push(this.chart(e,t,i[n]))),this.resize(),this.redraw()}chart(e,t,n){let r=this.app.store.get(`theme`),i=getComputedStyle(document.documentElement),a=e=>i.getPropertyValue(e).trim(),o=t.every(e=>e.unit.startsWith(`rad`)),s=o?180/Math.PI:1;o&&(n.querySelector(`figcaption`).textContent=n.dataset.title.replace(`rad`,`°`));let c={stroke:a(`--faint`),grid:{stroke:a(`--edge`),width:1},ticks:{show:!1},font:`10px ${a(`--font`)}`,size:20,gap:2},l={width:300,height:120,padding:[6,8,0,0],scales:{x:{time:!1,range:()=>this.app.store.get(`range`)}},cursor:{drag:{x:!1,y:!1},y:!1,points:{size:5}},legend:{show:!0,live:!0},axes:[c,{...c,size:38}],series:[{label:`t`,value:(e,t)=>t===null?`–`:`${t.toFixed(2)} s`},...t.map((e,t)=>({label:e.name,stroke:Il[r][t%Il[r].length],width:1.5,value:(e,t)=>t===null||Number.isNaN(t)?`–`:t.toPrecision(3)}))],hooks:{draw:[e=>this.cursor(e,a(`--mark`))]}},u=t.map(t=>e.column(t).map(e=>e*s)),d=new Mc(l,[Float64Array.from(e.time.subarray(0,e.frames)),...u],n);return this.listen(d),d}listen(e){let t=t=>{this.app.store.set(`playing`,!1);let n=this.app.store.get(`motion`),r=e.posToVal(t.clientX-e.over.getBoundingClientRect().left,`x`);this.app.store.set(`time`,Math.min(Math.max(r,n.start),n.end))};e.over.addEventListener(`pointerdown`,n=>(e.over.setPointerCapture(n.pointerId),t(n))),e.over.addEventListener(`pointermove`,n=>e.over.hasPointerCapture(n.pointerId)&&t(n))}cursor(e,t){let n=Math.round(e.valToPos(this.app.store.get(`time`),`x`,!0))+.5,{top:r,height:i,left:a,width:o}=e.bbox;n<a||n>a+o||(e.ctx.save(),e.ctx.strokeStyle=t,e.ctx.lineWidth=1.5*devicePixelRatio,e.ctx.beginPath(),e.ctx.moveTo(n,r),e.ctx.lineTo(n,r+i),e.ctx.stroke(),e.ctx.restore())}redraw(){!this.asked&&this.charts.length&&this.element.offsetParent&&(this.asked=!0,requestAnimationFrame(()=>{this.asked=!1;let e=this.app.store.get(`motion`);for(let t of this.charts)t.redraw(!1,!1),e&&t.cursor.left<0&&t.setLegend({idx:e.nearest(this.app.store.get(`time`))},!1)}))}resize(){let e=[...this.element.querySelectorAll(`.chart`)],t=this.element.clientWidth-20;if(t<=0)return;let n=Math.max(Ll,Math.floor((t-10*(e.length-1))/Math.max(e.length,1)));e.forEach((e,t)=>{e.style.width=`${n}px`,this.charts[t]?.setSize({width:n,height:Math.max(70,this.element.clientHeight-52)})})}},zl=`anthropi.folded`;function Bl(e){let t=e.store.get(`mode`)===`player`,n=s(`div`,{class:`bar-panels`}),r=s(`div`,{class:`bar-tools`}),i=s(`div`,{class:`column-content`}),a=s(`div`,{class:`column-content`}),o=s(`main`,{class:`stage`,"aria-label":`Stage`}),c=s(`div`,{class:`timeline-place`}),l=s(`div`,{class:`plots-place`}),u=s(`div`,{class:`dialogs`}),p=s(`div`,{class:`status`,role:`status`,hidden:!0}),m=s(`div`,{class:`shell${t?` player`:``}`}),h=(e,t=!m.classList.contains(`no-${e}`))=>{m.classList.toggle(`no-${e}`,t),me(zl,[`left`,`right`,`below`].filter(e=>m.classList.contains(`no-${e}`)).join(` `)),dispatchEvent(new Event(`resize`))},g=(e,t,n,r)=>s(`aside`,{class:`column ${e}`,"aria-label":t},n,s(`div`,{class:`fold`},f(r,`Fold ${t.toLowerCase()}`,`Fold or unfold: ${t.toLowerCase()}.`,()=>h(e))));m.append(s(`header`,{class:`bar`},s(`div`,{class:`brand`,"aria-label":`AnthroPI`},d(`M12 3.2a1.9 1.9 0 1 1 0 3.8a1.9 1.9 0 0 1 0-3.8M12 7.5v6M6.5 10.5l5.5-2.2l5.5 2.2M12 13.5l-3.6 7M12 13.5l3.6 7`,!1,22),s(`span`,null,`AnthroPI`)),n,r),...t?[]:[g(`left`,`Commands`,i,`M14 6l-6 6l6 6`),g(`right`,`Degrees of freedom`,a,`M10 6l6 6l-6 6`)],o,s(`section`,{class:`below`,"aria-label":`Timeline and plots`},c,l),p,u);for(let e of(pe(zl)??``).split(` `))e&&m.classList.add(`no-${e}`);return t||(e.shortcut(`[`,`Fold or unfold the commands`,()=>h(`left`)),e.shortcut(`]`,`Fold or unfold the degrees of freedom`,()=>h(`right`))),e.shortcut(`\\`,`Fold or unfold the plots`,()=>h(`below`)),{root:m,bar:n,tools:r,left:i,stage:o,right:a,timeline:c,plots:l,dialogs:u,status:p,fold:h}}var Vl=900;function Hl(e,t){let n=0,r=``;t.cameras.controls.addEventListener(`end`,()=>{clearTimeout(n),n=window.setTimeout(()=>{let n=e.store.get(`camera`);e.connection.post(`set_camera`,{camera:{...t.cameras.view(),mode:n===`keys`?`fixed`:n}})},Vl)}),e.store.on(`project`,n=>{n&&n.path!==r&&(r=n.path,r&&(e.store.set(`camera`,n.camera.mode),t.cameras.apply(n.camera)))})}var Ul={LEFT:0,MIDDLE:1,RIGHT:2,ROTATE:0,DOLLY:1,PAN:2},Wl={ROTATE:0,PAN:1,DOLLY_PAN:2,DOLLY_ROTATE:3},Gl=`attached`,Kl=1e3,ql=1001,Jl=1002,Yl=1003,Xl=1004,Zl=1005,Ql=1006,$l=1007,eu=1008,tu=1009,nu=1010,ru=1011,iu=1012,au=1013,ou=1014,su=1015,cu=1016,lu=1017,uu=1018,du=1020,fu=35902,pu=35899,mu=1021,hu=1022,gu=1023,_u=1026,vu=1027,yu=1028,bu=1029,xu=1030,Su=1031,Cu=1033,wu=33776,Tu=33777,Eu=33778,Du=33779,Ou=35840,ku=35841,Au=35842,ju=35843,Mu=36196,Nu=37492,Pu=37496,Fu=37488,Iu=37489,Lu=37490,Ru=37491,zu=37808,Bu=37809,Vu=37810,Hu=37811,Uu=37812,Wu=37813,Gu=37814,Ku=37815,qu=37816,Ju=37817,Yu=37818,Xu=37819,Zu=37820,Qu=37821,$u=36492,ed=36494,td=36495,nd=36283,rd=36284,id=36285,ad=36286,od=2300,sd=2301,cd=2302,ld=2303,ud=2400,dd=2401,fd=2402,pd=3200,md=`srgb`,hd=`srgb-linear`,gd=`linear`,_d=`srgb`,vd=7680,yd=35044,bd=2e3;function xd(e){for(let t=e.length-1;t>=0;--t)if(e[t]>=65535)return!0;return!1}function Sd(e){return ArrayBuffer.isView(e)&&!(e instanceof DataView)}function Cd(e){return document.createElementNS(`http://www.w3.org/1999/xhtml`,e)}function wd(){let e=Cd(`canvas`);return e.style.display=`block`,e}var Td={};function Ed(...e){let t=`THREE.`+e.shift();console.log(t,...e)}function Dd(e){let t=e[0];if(typeof t==`string`&&t.startsWith(`TSL:`)){let t=e[1];t&&t.isStackTrace?e[0]+=` `+t.getLocation():e[1]=`Stack trace not available. Enable "THREE.Node.captureStackTrace" to capture stack traces.`}return e}function J(...e){e=Dd(e);let t=`THREE.`+e.shift();{let n=e[0];n&&n.isStackTrace?console.warn(n.getError(t)):console.warn(t,...e)}}function Y(...e){e=Dd(e);let t=`THREE.`+e.shift();{let n=e[0];n&&n.isStackTrace?console.error(n.getError(t)):console.error(t,...e)}}function Od(...e){let t=e.join(` `);t in Td||(Td[t]=!0,J(...e))}function kd(e,t,n){return new Promise(function(r,i){function a(){switch(e.clientWaitSync(t,e.SYNC_FLUSH_COMMANDS_BIT,0)){case e.WAIT_FAILED:i();break;case e.TIMEOUT_EXPIRED:setTimeout(a,n);break;default:r()}}setTimeout(a,n)})}var Ad={0:0,2:6,4:4,3:5,1:1,6:2,7:7,5:3},jd=class{addEventListener(e,t){this._listeners===void 0&&(this._listeners={});let n=this._listeners;n[e]===void 0&&(n[e]=[]),n[e].indexOf(t)===-1&&n[e].push(t)}hasEventListener(e,t){let n=this._listeners;return n!==void 0&&n[e]!==void 0&&n[e].indexOf(t)!==-1}removeEventListener(e,t){let n=this._listeners;if(n===void 0)return;let r=n[e];if(r!==void 0){let e=r.indexOf(t);e!==-1&&r.splice(e,1)}}dispatchEvent(e){let t=this._listeners;if(t===void 0)return;let n=t[e.type];if(n!==void 0){e.target=this;let t=n.slice(0);for(let n=0,r=t.length;n<r;n++)t[n].call(this,e);e.target=null}}},Md=`00.01.02.03.04.05.06.07.08.09.0a.0b.0c.0d.0e.0f.10.11.12.13.14.15.16.17.18.19.1a.1b.1c.1d.1e.1f.20.21.22.23.24.25.26.27.28.29.2a.2b.2c.2d.2e.2f.30.31.32.33.34.35.36.37.38.39.3a.3b.3c.3d.3e.3f.40.41.42.43.44.45.46.47.48.49.4a.4b.4c.4d.4e.4f.50.51.52.53.54.55.56.57.58.59.5a.5b.5c.5d.5e.5f.60.61.62.63.64.65.66.67.68.69.6a.6b.6c.6d.6e.6f.70.71.72.73.74.75.76.77.78.79.7a.7b.7c.7d.7e.7f.80.81.82.83.84.85.86.87.88.89.8a.8b.8c.8d.8e.8f.90.91.92.93.94.95.96.97.98.99.9a.9b.9c.9d.9e.9f.a0.a1.a2.a3.a4.a5.a6.a7.a8.a9.aa.ab.ac.ad.ae.af.b0.b1.b2.b3.b4.b5.b6.b7.b8.b9.ba.bb.bc.bd.be.bf.c0.c1.c2.c3.c4.c5.c6.c7.c8.c9.ca.cb.cc.cd.ce.cf.d0.d1.d2.d3.d4.d5.d6.d7.d8.d9.da.db.dc.dd.de.df.e0.e1.e2.e3.e4.e5.e6.e7.e8.e9.ea.eb.ec.ed.ee.ef.f0.f1.f2.f3.f4.f5.f6.f7.f8.f9.fa.fb.fc.fd.fe.ff`.split(`.`),Nd=1234567,Pd=Math.PI/180,Fd=180/Math.PI;function Id(){let e=Math.random()*4294967295|0,t=Math.random()*4294967295|0,n=Math.random()*4294967295|0,r=Math.random()*4294967295|0;return(Md[e&255]+Md[e>>8&255]+Md[e>>16&255]+Md[e>>24&255]+`-`+Md[t&255]+Md[t>>8&255]+`-`+Md[t>>16&15|64]+Md[t>>24&255]+`-`+Md[n&63|128]+Md[n>>8&255]+`-`+Md[n>>16&255]+Md[n>>24&255]+Md[r&255]+Md[r>>8&255]+Md[r>>16&255]+Md[r>>24&255]).toLowerCase()}function Ld(e,t,n){return Math.max(t,Math.min(n,e))}function Rd(e,t){return(e%t+t)%t}function zd(e,t,n,r,i){return r+(e-t)*(i-r)/(n-t)}function Bd(e,t,n){return e===t?0:(n-e)/(t-e)}function Vd(e,t,n){return(1-n)*e+n*t}function Hd(e,t,n,r){return Vd(e,t,1-Math.exp(-n*r))}function Ud(e,t=1){return t-Math.abs(Rd(e,t*2)-t)}function Wd(e,t,n){return e<=t?0:e>=n?1:(e=(e-t)/(n-t),e*e*(3-2*e))}function Gd(e,t,n){return e<=t?0:e>=n?1:(e=(e-t)/(n-t),e*e*e*(e*(e*6-15)+10))}function Kd(e,t){return e+Math.floor(Math.random()*(t-e+1))}function qd(e,t){return e+Math.random()*(t-e)}function Jd(e){return e*(.5-Math.random())}function Yd(e){e!==void 0&&(Nd=e);let t=Nd+=1831565813;return t=Math.imul(t^t>>>15,t|1),t^=t+Math.imul(t^t>>>7,t|61),((t^t>>>14)>>>0)/4294967296}function Xd(e){return e*Pd}function Zd(e){return e*Fd}function Qd(e){return e>0&&Number.isInteger(e)&&2**Math.round(Math.log2(e))===e}function $d(e){return 2**Math.ceil(Math.log(e)/Math.LN2)}function ef(e){return 2**Math.floor(Math.log(e)/Math.LN2)}function tf(e,t,n,r,i){let a=Math.cos,o=Math.sin,s=a(n/2),c=o(n/2),l=a((t+r)/2),u=o((t+r)/2),d=a((t-r)/2),f=o((t-r)/2),p=a((r-t)/2),m=o((r-t)/2);switch(i){case`XYX`:e.set(s*u,c*d,c*f,s*l);break;case`YZY`:e.set(c*f,s*u,c*d,s*l);break;case`ZXZ`:e.set(c*d,c*f,s*u,s*l);break;case`XZX`:e.set(s*u,c*m,c*p,s*l);break;case`YXY`:e.set(c*p,s*u,c*m,s*l);break;case`ZYZ`:e.set(c*m,c*p,s*u,s*l);break;default:J(`MathUtils: .setQuaternionFromProperEuler() encountered an unknown order: `+i)}}function nf(e){switch(e.constructor){case Uint32Array:return 4294967295;case Uint16Array:return 65535;case Uint8Array:case Uint8ClampedArray:return 255;case Int32Array:return 2147483647;case Int16Array:return 32767;case Int8Array:return 127;default:return}}function rf(e,t){if(t.constructor===Float32Array)return e;let n=nf(t);if(n===void 0)throw Error(`THREE.MathUtils: Invalid component type.`);return Math.max(e/n,-1)}function af(e,t){if(t.constructor===Float32Array)return e;let n=nf(t);if(n===void 0)throw Error(`THREE.MathUtils: Invalid component type.`);return Math.round(e*n)}var of={DEG2RAD:Pd,RAD2DEG:Fd,generateUUID:Id,clamp:Ld,euclideanModulo:Rd,mapLinear:zd,inverseLerp:Bd,lerp:Vd,damp:Hd,pingpong:Ud,smoothstep:Wd,smootherstep:Gd,randInt:Kd,randFloat:qd,randFloatSpread:Jd,seededRandom:Yd,degToRad:Xd,radToDeg:Zd,isPowerOfTwo:Qd,ceilPowerOfTwo:$d,floorPowerOfTwo:ef,setQuaternionFromProperEuler:tf,normalize:af,denormalize:rf},X=class{static{this.prototype.isVector2=!0}constructor(e=0,t=0){this.x=e,this.y=t}get width(){return this.x}set width(e){this.x=e}get height(){return this.y}set height(e){this.y=e}set(e,t){return this.x=e,this.y=t,this}setScalar(e){return this.x=e,this.y=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;default:throw Error(`THREE.Vector2: index is out of range: `+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;default:throw Error(`THREE.Vector2: index is out of range: `+e)}}clone(){return new this.constructor(this.x,this.y)}copy(e){return this.x=e.x,this.y=e.y,this}add(e){return this.x+=e.x,this.y+=e.y,this}addScalar(e){return this.x+=e,this.y+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this}subScalar(e){return this.x-=e,this.y-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this}multiply(e){return this.x*=e.x,this.y*=e.y,this}multiplyScalar(e){return this.x*=e,this.y*=e,this}divide(e){return this.x/=e.x,this.y/=e.y,this}divideScalar(e){return this.multiplyScalar(1/e)}applyMatrix3(e){let t=this.x,n=this.y,r=e.elements;return this.x=r[0]*t+r[3]*n+r[6],this.y=r[1]*t+r[4]*n+r[7],this}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this}clamp(e,t){return this.x=Ld(this.x,e.x,t.x),this.y=Ld(this.y,e.y,t.y),this}clampScalar(e,t){return this.x=Ld(this.x,e,t),this.y=Ld(this.y,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(Ld(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(e){return this.x*e.x+this.y*e.y}cross(e){return this.x*e.y-this.y*e.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(e){let t=Math.sqrt(this.lengthSq()*e.lengthSq());if(t===0)return Math.PI/2;let n=this.dot(e)/t;return Math.acos(Ld(n,-1,1))}distanceTo(e){return Math.sqrt(this.distanceToSquared(e))}distanceToSquared(e){let t=this.x-e.x,n=this.y-e.y;return t*t+n*n}manhattanDistanceTo(e){return Math.abs(this.x-e.x)+Math.abs(this.y-e.y)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this}equals(e){return e.x===this.x&&e.y===this.y}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this}rotateAround(e,t){let n=Math.cos(t),r=Math.sin(t),i=this.x-e.x,a=this.y-e.y;return this.x=i*n-a*r+e.x,this.y=i*r+a*n+e.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}},sf=class{constructor(e=0,t=0,n=0,r=1){this.isQuaternion=!0,this._x=e,this._y=t,this._z=n,this._w=r}static slerpFlat(e,t,n,r,i,a,o){let s=n[r+0],c=n[r+1],l=n[r+2],u=n[r+3],d=i[a+0],f=i[a+1],p=i[a+2],m=i[a+3];if(u!==m||s!==d||c!==f||l!==p){let e=s*d+c*f+l*p+u*m;e<0&&(d=-d,f=-f,p=-p,m=-m,e=-e);let t=1-o;if(e<.9995){let n=Math.acos(e),r=Math.sin(n);t=Math.sin(t*n)/r,o=Math.sin(o*n)/r,s=s*t+d*o,c=c*t+f*o,l=l*t+p*o,u=u*t+m*o}else{s=s*t+d*o,c=c*t+f*o,l=l*t+p*o,u=u*t+m*o;let e=1/Math.sqrt(s*s+c*c+l*l+u*u);s*=e,c*=e,l*=e,u*=e}}e[t]=s,e[t+1]=c,e[t+2]=l,e[t+3]=u}static multiplyQuaternionsFlat(e,t,n,r,i,a){let o=n[r],s=n[r+1],c=n[r+2],l=n[r+3],u=i[a],d=i[a+1],f=i[a+2],p=i[a+3];return e[t]=o*p+l*u+s*f-c*d,e[t+1]=s*p+l*d+c*u-o*f,e[t+2]=c*p+l*f+o*d-s*u,e[t+3]=l*p-o*u-s*d-c*f,e}get x(){return this._x}set x(e){this._x=e,this._onChangeCallback()}get y(){return this._y}set y(e){this._y=e,this._onChangeCallback()}get z(){return this._z}set z(e){this._z=e,this._onChangeCallback()}get w(){return this._w}set w(e){this._w=e,this._onChangeCallback()}set(e,t,n,r){return this._x=e,this._y=t,this._z=n,this._w=r,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(e){return this._x=e.x,this._y=e.y,this._z=e.z,this._w=e.w,this._onChangeCallback(),this}setFromEuler(e,t=!0){let n=e._x,r=e._y,i=e._z,a=e._order,o=Math.cos,s=Math.sin,c=o(n/2),l=o(r/2),u=o(i/2),d=s(n/2),f=s(r/2),p=s(i/2);switch(a){case`XYZ`:this._x=d*l*u+c*f*p,this._y=c*f*u-d*l*p,this._z=c*l*p+d*f*u,this._w=c*l*u-d*f*p;break;case`YXZ`:this._x=d*l*u+c*f*p,this._y=c*f*u-d*l*p,this._z=c*l*p-d*f*u,this._w=c*l*u+d*f*p;break;case`ZXY`:this._x=d*l*u-c*f*p,this._y=c*f*u+d*l*p,this._z=c*l*p+d*f*u,this._w=c*l*u-d*f*p;break;case`ZYX`:this._x=d*l*u-c*f*p,this._y=c*f*u+d*l*p,this._z=c*l*p-d*f*u,this._w=c*l*u+d*f*p;break;case`YZX`:this._x=d*l*u+c*f*p,this._y=c*f*u+d*l*p,this._z=c*l*p-d*f*u,this._w=c*l*u-d*f*p;break;case`XZY`:this._x=d*l*u-c*f*p,this._y=c*f*u-d*l*p,this._z=c*l*p+d*f*u,this._w=c*l*u+d*f*p;break;default:J(`Quaternion: .setFromEuler() encountered an unknown order: `+a)}return t===!0&&this._onChangeCallback(),this}setFromAxisAngle(e,t){let n=t/2,r=Math.sin(n);return this._x=e.x*r,this._y=e.y*r,this._z=e.z*r,this._w=Math.cos(n),this._onChangeCallback(),this}setFromRotationMatrix(e){let t=e.elements,n=t[0],r=t[4],i=t[8],a=t[1],o=t[5],s=t[9],c=t[2],l=t[6],u=t[10],d=n+o+u;if(d>0){let e=.5/Math.sqrt(d+1);this._w=.25/e,this._x=(l-s)*e,this._y=(i-c)*e,this._z=(a-r)*e}else if(n>o&&n>u){let e=2*Math.sqrt(1+n-o-u);this._w=(l-s)/e,this._x=.25*e,this._y=(r+a)/e,this._z=(i+c)/e}else if(o>u){let e=2*Math.sqrt(1+o-n-u);this._w=(i-c)/e,this._x=(r+a)/e,this._y=.25*e,this._z=(s+l)/e}else{let e=2*Math.sqrt(1+u-n-o);this._w=(a-r)/e,this._x=(i+c)/e,this._y=(s+l)/e,this._z=.25*e}return this._onChangeCallback(),this}setFromUnitVectors(e,t){let n=e.dot(t)+1;return n<1e-8?(n=0,Math.abs(e.x)>Math.abs(e.z)?(this._x=-e.y,this._y=e.x,this._z=0,this._w=n):(this._x=0,this._y=-e.z,this._z=e.y,this._w=n)):(this._x=e.y*t.z-e.z*t.y,this._y=e.z*t.x-e.x*t.z,this._z=e.x*t.y-e.y*t.x,this._w=n),this.normalize()}angleTo(e){return 2*Math.acos(Math.abs(Ld(this.dot(e),-1,1)))}rotateTowards(e,t){let n=this.angleTo(e);if(n===0)return this;let r=Math.min(1,t/n);return this.slerp(e,r),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(e){return this._x*e._x+this._y*e._y+this._z*e._z+this._w*e._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let e=this.length();return e===0?(this._x=0,this._y=0,this._z=0,this._w=1):(e=1/e,this._x*=e,this._y*=e,this._z*=e,this._w*=e),this._onChangeCallback(),this}multiply(e){return this.multiplyQuaternions(this,e)}premultiply(e){return this.multiplyQuaternions(e,this)}multiplyQuaternions(e,t){let n=e._x,r=e._y,i=e._z,a=e._w,o=t._x,s=t._y,c=t._z,l=t._w;return this._x=n*l+a*o+r*c-i*s,this._y=r*l+a*s+i*o-n*c,this._z=i*l+a*c+n*s-r*o,this._w=a*l-n*o-r*s-i*c,this._onChangeCallback(),this}slerp(e,t){let n=e._x,r=e._y,i=e._z,a=e._w,o=this.dot(e);o<0&&(n=-n,r=-r,i=-i,a=-a,o=-o);let s=1-t;if(o<.9995){let e=Math.acos(o),c=Math.sin(e);s=Math.sin(s*e)/c,t=Math.sin(t*e)/c,this._x=this._x*s+n*t,this._y=this._y*s+r*t,this._z=this._z*s+i*t,this._w=this._w*s+a*t,this._onChangeCallback()}else this._x=this._x*s+n*t,this._y=this._y*s+r*t,this._z=this._z*s+i*t,this._w=this._w*s+a*t,this.normalize();return this}slerpQuaternions(e,t,n){return this.copy(e).slerp(t,n)}random(){let e=2*Math.PI*Math.random(),t=2*Math.PI*Math.random(),n=Math.random(),r=Math.sqrt(1-n),i=Math.sqrt(n);return this.set(r*Math.sin(e),r*Math.cos(e),i*Math.sin(t),i*Math.cos(t))}equals(e){return e._x===this._x&&e._y===this._y&&e._z===this._z&&e._w===this._w}fromArray(e,t=0){return this._x=e[t],this._y=e[t+1],this._z=e[t+2],this._w=e[t+3],this._onChangeCallback(),this}toArray(e=[],t=0){return e[t]=this._x,e[t+1]=this._y,e[t+2]=this._z,e[t+3]=this._w,e}fromBufferAttribute(e,t){return this._x=e.getX(t),this._y=e.getY(t),this._z=e.getZ(t),this._w=e.getW(t),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(e){return this._onChangeCallback=e,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}},Z=class{static{this.prototype.isVector3=!0}constructor(e=0,t=0,n=0){this.x=e,this.y=t,this.z=n}set(e,t,n){return n===void 0&&(n=this.z),this.x=e,this.y=t,this.z=n,this}setScalar(e){return this.x=e,this.y=e,this.z=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setZ(e){return this.z=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;case 2:this.z=t;break;default:throw Error(`THREE.Vector3: index is out of range: `+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw Error(`THREE.Vector3: index is out of range: `+e)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(e){return this.x=e.x,this.y=e.y,this.z=e.z,this}add(e){return this.x+=e.x,this.y+=e.y,this.z+=e.z,this}addScalar(e){return this.x+=e,this.y+=e,this.z+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this.z=e.z+t.z,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this.z+=e.z*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this.z-=e.z,this}subScalar(e){return this.x-=e,this.y-=e,this.z-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this.z=e.z-t.z,this}multiply(e){return this.x*=e.x,this.y*=e.y,this.z*=e.z,this}multiplyScalar(e){return this.x*=e,this.y*=e,this.z*=e,this}multiplyVectors(e,t){return this.x=e.x*t.x,this.y=e.y*t.y,this.z=e.z*t.z,this}applyEuler(e){return this.applyQuaternion(lf.setFromEuler(e))}applyAxisAngle(e,t){return this.applyQuaternion(lf.setFromAxisAngle(e,t))}applyMatrix3(e){let t=this.x,n=this.y,r=this.z,i=e.elements;return this.x=i[0]*t+i[3]*n+i[6]*r,this.y=i[1]*t+i[4]*n+i[7]*r,this.z=i[2]*t+i[5]*n+i[8]*r,this}applyNormalMatrix(e){return this.applyMatrix3(e).normalize()}applyMatrix4(e){let t=this.x,n=this.y,r=this.z,i=e.elements,a=1/(i[3]*t+i[7]*n+i[11]*r+i[15]);return this.x=(i[0]*t+i[4]*n+i[8]*r+i[12])*a,this.y=(i[1]*t+i[5]*n+i[9]*r+i[13])*a,this.z=(i[2]*t+i[6]*n+i[10]*r+i[14])*a,this}applyQuaternion(e){let t=this.x,n=this.y,r=this.z,i=e.x,a=e.y,o=e.z,s=e.w,c=2*(a*r-o*n),l=2*(o*t-i*r),u=2*(i*n-a*t);return this.x=t+s*c+a*u-o*l,this.y=n+s*l+o*c-i*u,this.z=r+s*u+i*l-a*c,this}project(e){return this.applyMatrix4(e.matrixWorldInverse).applyMatrix4(e.projectionMatrix)}unproject(e){return this.applyMatrix4(e.projectionMatrixInverse).applyMatrix4(e.matrixWorld)}transformDirection(e){let t=this.x,n=this.y,r=this.z,i=e.elements;return this.x=i[0]*t+i[4]*n+i[8]*r,this.y=i[1]*t+i[5]*n+i[9]*r,this.z=i[2]*t+i[6]*n+i[10]*r,this.normalize()}divide(e){return this.x/=e.x,this.y/=e.y,this.z/=e.z,this}divideScalar(e){return this.multiplyScalar(1/e)}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this.z=Math.min(this.z,e.z),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this.z=Math.max(this.z,e.z),this}clamp(e,t){return this.x=Ld(this.x,e.x,t.x),this.y=Ld(this.y,e.y,t.y),this.z=Ld(this.z,e.z,t.z),this}clampScalar(e,t){return this.x=Ld(this.x,e,t),this.y=Ld(this.y,e,t),this.z=Ld(this.z,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(Ld(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(e){return this.x*e.x+this.y*e.y+this.z*e.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this.z+=(e.z-this.z)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this.z=e.z+(t.z-e.z)*n,this}cross(e){return this.crossVectors(this,e)}crossVectors(e,t){let n=e.x,r=e.y,i=e.z,a=t.x,o=t.y,s=t.z;return this.x=r*s-i*o,this.y=i*a-n*s,this.z=n*o-r*a,this}projectOnVector(e){let t=e.lengthSq();if(t===0)return this.set(0,0,0);let n=e.dot(this)/t;return this.copy(e).multiplyScalar(n)}projectOnPlane(e){return cf.copy(this).projectOnVector(e),this.sub(cf)}reflect(e){return this.sub(cf.copy(e).multiplyScalar(2*this.dot(e)))}angleTo(e){let t=Math.sqrt(this.lengthSq()*e.lengthSq());if(t===0)return Math.PI/2;let n=this.dot(e)/t;return Math.acos(Ld(n,-1,1))}distanceTo(e){return Math.sqrt(this.distanceToSquared(e))}distanceToSquared(e){let t=this.x-e.x,n=this.y-e.y,r=this.z-e.z;return t*t+n*n+r*r}manhattanDistanceTo(e){return Math.abs(this.x-e.x)+Math.abs(this.y-e.y)+Math.abs(this.z-e.z)}setFromSpherical(e){return this.setFromSphericalCoords(e.radius,e.phi,e.theta)}setFromSphericalCoords(e,t,n){let r=Math.sin(t)*e;return this.x=r*Math.sin(n),this.y=Math.cos(t)*e,this.z=r*Math.cos(n),this}setFromCylindrical(e){return this.setFromCylindricalCoords(e.radius,e.theta,e.y)}setFromCylindricalCoords(e,t,n){return this.x=e*Math.sin(t),this.y=n,this.z=e*Math.cos(t),this}setFromMatrixPosition(e){let t=e.elements;return this.x=t[12],this.y=t[13],this.z=t[14],this}setFromMatrixScale(e){let t=this.setFromMatrixColumn(e,0).length(),n=this.setFromMatrixColumn(e,1).length(),r=this.setFromMatrixColumn(e,2).length();return this.x=t,this.y=n,this.z=r,this}setFromMatrixColumn(e,t){return this.fromArray(e.elements,t*4)}setFromMatrix3Column(e,t){return this.fromArray(e.elements,t*3)}setFromEuler(e){return this.x=e._x,this.y=e._y,this.z=e._z,this}setFromColor(e){return this.x=e.r,this.y=e.g,this.z=e.b,this}equals(e){return e.x===this.x&&e.y===this.y&&e.z===this.z}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this.z=e[t+2],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e[t+2]=this.z,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this.z=e.getZ(t),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){let e=Math.random()*Math.PI*2,t=Math.random()*2-1,n=Math.sqrt(1-t*t);return this.x=n*Math.cos(e),this.y=t,this.z=n*Math.sin(e),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}},cf=new Z,lf=new sf,uf=class{static{this.prototype.isMatrix3=!0}constructor(e,t,n,r,i,a,o,s,c){this.elements=[1,0,0,0,1,0,0,0,1],e!==void 0&&this.set(e,t,n,r,i,a,o,s,c)}set(e,t,n,r,i,a,o,s,c){let l=this.elements;return l[0]=e,l[1]=r,l[2]=o,l[3]=t,l[4]=i,l[5]=s,l[6]=n,l[7]=a,l[8]=c,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(e){let t=this.elements,n=e.elements;return t[0]=n[0],t[1]=n[1],t[2]=n[2],t[3]=n[3],t[4]=n[4],t[5]=n[5],t[6]=n[6],t[7]=n[7],t[8]=n[8],this}extractBasis(e,t,n){return e.setFromMatrix3Column(this,0),t.setFromMatrix3Column(this,1),n.setFromMatrix3Column(this,2),this}setFromMatrix4(e){let t=e.elements;return this.set(t[0],t[4],t[8],t[1],t[5],t[9],t[2],t[6],t[10]),this}multiply(e){return this.multiplyMatrices(this,e)}premultiply(e){return this.multiplyMatrices(e,this)}multiplyMatrices(e,t){let n=e.elements,r=t.elements,i=this.elements,a=n[0],o=n[3],s=n[6],c=n[1],l=n[4],u=n[7],d=n[2],f=n[5],p=n[8],m=r[0],h=r[3],g=r[6],_=r[1],v=r[4],y=r[7],b=r[2],x=r[5],S=r[8];return i[0]=a*m+o*_+s*b,i[3]=a*h+o*v+s*x,i[6]=a*g+o*y+s*S,i[1]=c*m+l*_+u*b,i[4]=c*h+l*v+u*x,i[7]=c*g+l*y+u*S,i[2]=d*m+f*_+p*b,i[5]=d*h+f*v+p*x,i[8]=d*g+f*y+p*S,this}multiplyScalar(e){let t=this.elements;return t[0]*=e,t[3]*=e,t[6]*=e,t[1]*=e,t[4]*=e,t[7]*=e,t[2]*=e,t[5]*=e,t[8]*=e,this}determinant(){let e=this.elements,t=e[0],n=e[1],r=e[2],i=e[3],a=e[4],o=e[5],s=e[6],c=e[7],l=e[8];return t*a*l-t*o*c-n*i*l+n*o*s+r*i*c-r*a*s}invert(){let e=this.elements,t=e[0],n=e[1],r=e[2],i=e[3],a=e[4],o=e[5],s=e[6],c=e[7],l=e[8],u=l*a-o*c,d=o*s-l*i,f=c*i-a*s,p=t*u+n*d+r*f;if(p===0)return this.set(0,0,0,0,0,0,0,0,0);let m=1/p;return e[0]=u*m,e[1]=(r*c-l*n)*m,e[2]=(o*n-r*a)*m,e[3]=d*m,e[4]=(l*t-r*s)*m,e[5]=(r*i-o*t)*m,e[6]=f*m,e[7]=(n*s-c*t)*m,e[8]=(a*t-n*i)*m,this}transpose(){let e,t=this.elements;return e=t[1],t[1]=t[3],t[3]=e,e=t[2],t[2]=t[6],t[6]=e,e=t[5],t[5]=t[7],t[7]=e,this}getNormalMatrix(e){return this.setFromMatrix4(e).invert().transpose()}transposeIntoArray(e){let t=this.elements;return e[0]=t[0],e[1]=t[3],e[2]=t[6],e[3]=t[1],e[4]=t[4],e[5]=t[7],e[6]=t[2],e[7]=t[5],e[8]=t[8],this}setUvTransform(e,t,n,r,i,a,o){let s=Math.cos(i),c=Math.sin(i);return this.set(n*s,n*c,-n*(s*a+c*o)+a+e,-r*c,r*s,-r*(-c*a+s*o)+o+t,0,0,1),this}scale(e,t){return Od(`Matrix3: .scale() is deprecated. Use .makeScale() instead.`),this.premultiply(df.makeScale(e,t)),this}rotate(e){return Od(`Matrix3: .rotate() is deprecated. Use .makeRotation() instead.`),this.premultiply(df.makeRotation(-e)),this}translate(e,t){return Od(`Matrix3: .translate() is deprecated. Use .makeTranslation() instead.`),this.premultiply(df.makeTranslation(e,t)),this}makeTranslation(e,t){return e.isVector2?this.set(1,0,e.x,0,1,e.y,0,0,1):this.set(1,0,e,0,1,t,0,0,1),this}makeRotation(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,-n,0,n,t,0,0,0,1),this}makeScale(e,t){return this.set(e,0,0,0,t,0,0,0,1),this}equals(e){let t=this.elements,n=e.elements;for(let e=0;e<9;e++)if(t[e]!==n[e])return!1;return!0}fromArray(e,t=0){for(let n=0;n<9;n++)this.elements[n]=e[n+t];return this}toArray(e=[],t=0){let n=this.elements;return e[t]=n[0],e[t+1]=n[1],e[t+2]=n[2],e[t+3]=n[3],e[t+4]=n[4],e[t+5]=n[5],e[t+6]=n[6],e[t+7]=n[7],e[t+8]=n[8],e}clone(){return new this.constructor().fromArray(this.elements)}},df=new uf,ff=new uf().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),pf=new uf().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function mf(){let e={enabled:!0,workingColorSpace:hd,spaces:{},convert:function(e,t,n){return this.enabled===!1||t===n||!t||!n||(this.spaces[t].transfer===`srgb`&&(e.r=gf(e.r),e.g=gf(e.g),e.b=gf(e.b)),this.spaces[t].primaries!==this.spaces[n].primaries&&(e.applyMatrix3(this.spaces[t].toXYZ),e.applyMatrix3(this.spaces[n].fromXYZ)),this.spaces[n].transfer===`srgb`&&(e.r=_f(e.r),e.g=_f(e.g),e.b=_f(e.b))),e},workingToColorSpace:function(e,t){return this.convert(e,this.workingColorSpace,t)},colorSpaceToWorking:function(e,t){return this.convert(e,t,this.workingColorSpace)},getPrimaries:function(e){return this.spaces[e].primaries},getTransfer:function(e){return e===``?gd:this.spaces[e].transfer},getToneMappingMode:function(e){return this.spaces[e].outputColorSpaceConfig.toneMappingMode||`standard`},getLuminanceCoefficients:function(e,t=this.workingColorSpace){return e.fromArray(this.spaces[t].luminanceCoefficients)},define:function(e){Object.assign(this.spaces,e)},_getMatrix:function(e,t,n){return e.copy(this.spaces[n].fromXYZ).multiply(this.spaces[t].toXYZ)},_getDrawingBufferColorSpace:function(e){return this.spaces[e].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(e=this.workingColorSpace){return this.spaces[e].workingColorSpaceConfig.unpackColorSpace}},t=[.64,.33,.3,.6,.15,.06],n=[.2126,.7152,.0722],r=[.3127,.329];return e.define({[hd]:{primaries:t,whitePoint:r,transfer:gd,toXYZ:ff,fromXYZ:pf,luminanceCoefficients:n,workingColorSpaceConfig:{unpackColorSpace:md},outputColorSpaceConfig:{drawingBufferColorSpace:md}},[md]:{primaries:t,whitePoint:r,transfer:_d,toXYZ:ff,fromXYZ:pf,luminanceCoefficients:n,outputColorSpaceConfig:{drawingBufferColorSpace:md}}}),e}var hf=mf();function gf(e){return e<.04045?e*.0773993808:(e*.9478672986+.0521327014)**2.4}function _f(e){return e<.0031308?e*12.92:1.055*e**.41666-.055}var vf,yf=class{static getDataURL(e,t=`image/png`){if(/^data:/i.test(e.src)||typeof HTMLCanvasElement>`u`)return e.src;let n;if(e instanceof HTMLCanvasElement)n=e;else{vf===void 0&&(vf=Cd(`canvas`)),vf.width=e.width,vf.height=e.height;let t=vf.getContext(`2d`);e instanceof ImageData?t.putImageData(e,0,0):t.drawImage(e,0,0,e.width,e.height),n=vf}return n.toDataURL(t)}static sRGBToLinear(e){if(typeof HTMLImageElement<`u`&&e instanceof HTMLImageElement||typeof HTMLCanvasElement<`u`&&e instanceof HTMLCanvasElement||typeof ImageBitmap<`u`&&e instanceof ImageBitmap){let t=Cd(`canvas`);t.width=e.width,t.height=e.height;let n=t.getContext(`2d`);n.drawImage(e,0,0,e.width,e.height);let r=n.getImageData(0,0,e.width,e.height),i=r.data;for(let e=0;e<i.length;e++)i[e]=gf(i[e]/255)*255;return n.putImageData(r,0,0),t}if(e.data){let t=e.data.slice(0);for(let e=0;e<t.length;e++)t instanceof Uint8Array||t instanceof Uint8ClampedArray?t[e]=Math.floor(gf(t[e]/255)*255):t[e]=gf(t[e]);return{data:t,width:e.width,height:e.height}}return J(`ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied.`),e}},bf=0,xf=class{constructor(e=null){this.isTextureSource=!0,Object.defineProperty(this,"id",{value:bf++}),this.uuid=Id(),this.data=e,this.dataReady=!0,this.version=0}getSize(e){let t=this.data;return typeof HTMLVideoElement<`u`&&t instanceof HTMLVideoElement?e.set(t.videoWidth,t.videoHeight,0):typeof VideoFrame<`u`&&t instanceof VideoFrame?e.set(t.displayWidth,t.displayHeight,0):t===null?e.set(0,0,0):e.set(t.width||0,t.height||0,t.depth||0),e}set needsUpdate(e){e===!0&&this.version++}toJSON(e){let t=e===void 0||typeof e==`string`;if(!t&&e.images[this.uuid]!==void 0)return e.images[this.uuid];let n={uuid:this.uuid,url:``},r=this.data;if(r!==null){let e;if(Array.isArray(r)){e=[];for(let t=0,n=r.length;t<n;t++)r[t].isDataTexture?e.push(Sf(r[t].image)):e.push(Sf(r[t]))}else e=Sf(r);n.url=e}return t||(e.images[this.uuid]=n),n}};function Sf(e){return typeof HTMLImageElement<`u`&&e instanceof HTMLImageElement||typeof HTMLCanvasElement<`u`&&e instanceof HTMLCanvasElement||typeof ImageBitmap<`u`&&e instanceof ImageBitmap?yf.getDataURL(e):e.data?{data:Array.from(e.data),width:e.width,height:e.height,type:e.data.constructor.name}:(J(`Texture: Unable to serialize Texture.`),{})}var Cf=0,wf=new Z,Tf=class e extends jd{constructor(t=e.DEFAULT_IMAGE,n=e.DEFAULT_MAPPING,r=ql,i=ql,a=Ql,o=eu,s=gu,c=tu,l=e.DEFAULT_ANISOTROPY,u=``){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:Cf++}),this.uuid=Id(),this.name=``,this.source=new xf(t),this.mipmaps=[],this.mapping=n,this.channel=0,this.wrapS=r,this.wrapT=i,this.magFilter=a,this.minFilter=o,this.anisotropy=l,this.format=s,this.internalFormat=null,this.type=c,this.offset=new X(0,0),this.repeat=new X(1,1),this.center=new X(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new uf,this.generateMipmaps=!0,this.mipmapsAutoUpdate=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=u,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(t&&t.depth&&t.depth>1),this.pmremVersion=0,this.isPMREMTexture=!1,this.normalized=!1}get width(){return this.source.getSize(wf).x}get height(){return this.source.getSize(wf).y}get depth(){return this.source.getSize(wf).z}get image(){return this.source.data}set image(e){this.source.data=e}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(e){return this.name=e.name,this.source=e.source,this.mipmaps=e.mipmaps.slice(0),this.mapping=e.mapping,this.channel=e.channel,this.wrapS=e.wrapS,this.wrapT=e.wrapT,this.magFilter=e.magFilter,this.minFilter=e.minFilter,this.anisotropy=e.anisotropy,this.format=e.format,this.internalFormat=e.internalFormat,this.type=e.type,this.normalized=e.normalized,this.offset.copy(e.offset),this.repeat.copy(e.repeat),this.center.copy(e.center),this.rotation=e.rotation,this.matrixAutoUpdate=e.matrixAutoUpdate,this.matrix.copy(e.matrix),this.generateMipmaps=e.generateMipmaps,this.mipmapsAutoUpdate=e.mipmapsAutoUpdate,this.premultiplyAlpha=e.premultiplyAlpha,this.flipY=e.flipY,this.unpackAlignment=e.unpackAlignment,this.colorSpace=e.colorSpace,this.renderTarget=e.renderTarget,this.isRenderTargetTexture=e.isRenderTargetTexture,this.isPMREMTexture=e.isPMREMTexture,this.isArrayTexture=e.isArrayTexture,this.userData=JSON.parse(JSON.stringify(e.userData)),this.needsUpdate=!0,this}setValues(e){for(let t in e){let n=e[t];if(n===void 0){J(`Texture.setValues(): parameter '${t}' has value of undefined.`);continue}let r=this[t];r===void 0?J(`Texture.setValues(): property '${t}' does not exist.`):r&&n&&r.isVector2&&n.isVector2||r&&n&&r.isVector3&&n.isVector3||r&&n&&r.isMatrix3&&n.isMatrix3?r.copy(n):this[t]=n}}toJSON(e){let t=e===void 0||typeof e==`string`;if(!t&&e.textures[this.uuid]!==void 0)return e.textures[this.uuid];let n={metadata:{version:4.7,type:`Texture`,generator:`Texture.toJSON`},uuid:this.uuid,name:this.name,image:this.source.toJSON(e).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,normalized:this.normalized,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,mipmapsAutoUpdate:this.mipmapsAutoUpdate,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(n.userData=this.userData),t||(e.textures[this.uuid]=n),n}dispose(){this.dispatchEvent({type:`dispose`})}transformUv(e){if(this.mapping!==300)return e;if(e.applyMatrix3(this.matrix),e.x<0||e.x>1)switch(this.wrapS){case Kl:e.x-=Math.floor(e.x);break;case ql:e.x=e.x<0?0:1;break;case Jl:Math.abs(Math.floor(e.x)%2)===1?e.x=Math.ceil(e.x)-e.x:e.x-=Math.floor(e.x)}if(e.y<0||e.y>1)switch(this.wrapT){case Kl:e.y-=Math.floor(e.y);break;case ql:e.y=e.y<0?0:1;break;case Jl:Math.abs(Math.floor(e.y)%2)===1?e.y=Math.ceil(e.y)-e.y:e.y-=Math.floor(e.y)}return this.flipY&&(e.y=1-e.y),e}set needsUpdate(e){e===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(e){e===!0&&this.pmremVersion++}};Tf.DEFAULT_IMAGE=null,Tf.DEFAULT_MAPPING=300,Tf.DEFAULT_ANISOTROPY=1;var Ef=class{static{this.prototype.isVector4=!0}constructor(e=0,t=0,n=0,r=1){this.x=e,this.y=t,this.z=n,this.w=r}get width(){return this.z}set width(e){this.z=e}get height(){return this.w}set height(e){this.w=e}set(e,t,n,r){return this.x=e,this.y=t,this.z=n,this.w=r,this}setScalar(e){return this.x=e,this.y=e,this.z=e,this.w=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setZ(e){return this.z=e,this}setW(e){return this.w=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;case 2:this.z=t;break;case 3:this.w=t;break;default:throw Error(`THREE.Vector4: index is out of range: `+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw Error(`THREE.Vector4: index is out of range: `+e)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(e){return this.x=e.x,this.y=e.y,this.z=e.z,this.w=e.w===void 0?1:e.w,this}add(e){return this.x+=e.x,this.y+=e.y,this.z+=e.z,this.w+=e.w,this}addScalar(e){return this.x+=e,this.y+=e,this.z+=e,this.w+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this.z=e.z+t.z,this.w=e.w+t.w,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this.z+=e.z*t,this.w+=e.w*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this.z-=e.z,this.w-=e.w,this}subScalar(e){return this.x-=e,this.y-=e,this.z-=e,this.w-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this.z=e.z-t.z,this.w=e.w-t.w,this}multiply(e){return this.x*=e.x,this.y*=e.y,this.z*=e.z,this.w*=e.w,this}multiplyScalar(e){return this.x*=e,this.y*=e,this.z*=e,this.w*=e,this}applyMatrix4(e){let t=this.x,n=this.y,r=this.z,i=this.w,a=e.elements;return this.x=a[0]*t+a[4]*n+a[8]*r+a[12]*i,this.y=a[1]*t+a[5]*n+a[9]*r+a[13]*i,this.z=a[2]*t+a[6]*n+a[10]*r+a[14]*i,this.w=a[3]*t+a[7]*n+a[11]*r+a[15]*i,this}divide(e){return this.x/=e.x,this.y/=e.y,this.z/=e.z,this.w/=e.w,this}divideScalar(e){return this.multiplyScalar(1/e)}setAxisAngleFromQuaternion(e){this.w=2*Math.acos(e.w);let t=Math.sqrt(1-e.w*e.w);return t<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=e.x/t,this.y=e.y/t,this.z=e.z/t),this}setAxisAngleFromRotationMatrix(e){let t,n,r,i,a=.01,o=.1,s=e.elements,c=s[0],l=s[4],u=s[8],d=s[1],f=s[5],p=s[9],m=s[2],h=s[6],g=s[10];if(Math.abs(l-d)<a&&Math.abs(u-m)<a&&Math.abs(p-h)<a){if(Math.abs(l+d)<o&&Math.abs(u+m)<o&&Math.abs(p+h)<o&&Math.abs(c+f+g-3)<o)return this.set(1,0,0,0),this;t=Math.PI;let e=(c+1)/2,s=(f+1)/2,_=(g+1)/2,v=(l+d)/4,y=(u+m)/4,b=(p+h)/4;return e>s&&e>_?e<a?(n=0,r=.707106781,i=.707106781):(n=Math.sqrt(e),r=v/n,i=y/n):s>_?s<a?(n=.707106781,r=0,i=.707106781):(r=Math.sqrt(s),n=v/r,i=b/r):_<a?(n=.707106781,r=.707106781,i=0):(i=Math.sqrt(_),n=y/i,r=b/i),this.set(n,r,i,t),this}let _=Math.sqrt((h-p)*(h-p)+(u-m)*(u-m)+(d-l)*(d-l));return Math.abs(_)<.001&&(_=1),this.x=(h-p)/_,this.y=(u-m)/_,this.z=(d-l)/_,this.w=Math.acos((c+f+g-1)/2),this}setFromMatrixPosition(e){let t=e.elements;return this.x=t[12],this.y=t[13],this.z=t[14],this.w=t[15],this}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this.z=Math.min(this.z,e.z),this.w=Math.min(this.w,e.w),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this.z=Math.max(this.z,e.z),this.w=Math.max(this.w,e.w),this}clamp(e,t){return this.x=Ld(this.x,e.x,t.x),this.y=Ld(this.y,e.y,t.y),this.z=Ld(this.z,e.z,t.z),this.w=Ld(this.w,e.w,t.w),this}clampScalar(e,t){return this.x=Ld(this.x,e,t),this.y=Ld(this.y,e,t),this.z=Ld(this.z,e,t),this.w=Ld(this.w,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(Ld(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(e){return this.x*e.x+this.y*e.y+this.z*e.z+this.w*e.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this.z+=(e.z-this.z)*t,this.w+=(e.w-this.w)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this.z=e.z+(t.z-e.z)*n,this.w=e.w+(t.w-e.w)*n,this}equals(e){return e.x===this.x&&e.y===this.y&&e.z===this.z&&e.w===this.w}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this.z=e[t+2],this.w=e[t+3],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e[t+2]=this.z,e[t+3]=this.w,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this.z=e.getZ(t),this.w=e.getW(t),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}},Df=class extends jd{constructor(e=1,t=1,n={}){super(),n=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:Ql,depthBuffer:!0,stencilBuffer:!1,resolveColorBuffer:!0,resolveDepthBuffer:!0,resolveStencilBuffer:!0,storeMultisampledColorBuffer:!0,storeMultisampledDepthBuffer:!0,storeMultisampledStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1,useArrayDepthTexture:!1},n),this.isRenderTarget=!0,this.width=e,this.height=t,this.depth=n.depth,this.scissor=new Ef(0,0,e,t),this.scissorTest=!1,this.viewport=new Ef(0,0,e,t),this.textures=[];let r=n.count;for(let i=0;i<r;i++)this.textures[i]=new Tf({width:e,height:t,depth:n.depth}),this.textures[i].isRenderTargetTexture=!0,this.textures[i].renderTarget=this;this._setTextureOptions(n),this.depthBuffer=n.depthBuffer,this.stencilBuffer=n.stencilBuffer,this.resolveColorBuffer=n.resolveColorBuffer,this.resolveDepthBuffer=n.resolveDepthBuffer,this.resolveStencilBuffer=n.resolveStencilBuffer,this.storeMultisampledColorBuffer=n.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=n.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=n.storeMultisampledStencilBuffer,this._depthTexture=null,this.depthTexture=n.depthTexture,this.samples=n.samples,this.multiview=n.multiview,this.useArrayDepthTexture=n.useArrayDepthTexture}_setTextureOptions(e={}){let t={minFilter:Ql,generateMipmaps:!1,flipY:!1,internalFormat:null};e.mapping!==void 0&&(t.mapping=e.mapping),e.wrapS!==void 0&&(t.wrapS=e.wrapS),e.wrapT!==void 0&&(t.wrapT=e.wrapT),e.wrapR!==void 0&&(t.wrapR=e.wrapR),e.magFilter!==void 0&&(t.magFilter=e.magFilter),e.minFilter!==void 0&&(t.minFilter=e.minFilter),e.format!==void 0&&(t.format=e.format),e.type!==void 0&&(t.type=e.type),e.anisotropy!==void 0&&(t.anisotropy=e.anisotropy),e.colorSpace!==void 0&&(t.colorSpace=e.colorSpace),e.flipY!==void 0&&(t.flipY=e.flipY),e.generateMipmaps!==void 0&&(t.generateMipmaps=e.generateMipmaps),e.mipmapsAutoUpdate!==void 0&&(t.mipmapsAutoUpdate=e.mipmapsAutoUpdate),e.internalFormat!==void 0&&(t.internalFormat=e.internalFormat);for(let e=0;e<this.textures.length;e++)this.textures[e].setValues(t)}get texture(){return this.textures[0]}set texture(e){this.textures[0]=e}set depthTexture(e){this._depthTexture!==null&&this._depthTexture.renderTarget===this&&(this._depthTexture.renderTarget=null),e!==null&&e.renderTarget===null&&(e.renderTarget=this),this._depthTexture=e}get depthTexture(){return this._depthTexture}setSize(e,t,n=1){if(this.width!==e||this.height!==t||this.depth!==n){this.width=e,this.height=t,this.depth=n;for(let r=0,i=this.textures.length;r<i;r++)this.textures[r].image.width=e,this.textures[r].image.height=t,this.textures[r].image.depth=n,this.textures[r].isData3DTexture!==!0&&(this.textures[r].isArrayTexture=this.textures[r].image.depth>1);this.dispose()}this.viewport.set(0,0,e,t),this.scissor.set(0,0,e,t)}clone(){return new this.constructor().copy(this)}copy(e){this.width=e.width,this.height=e.height,this.depth=e.depth,this.scissor.copy(e.scissor),this.scissorTest=e.scissorTest,this.viewport.copy(e.viewport),this.textures.length=0;for(let t=0,n=e.textures.length;t<n;t++){this.textures[t]=e.textures[t].clone(),this.textures[t].isRenderTargetTexture=!0,this.textures[t].renderTarget=this;let n=Object.assign({},e.textures[t].image);this.textures[t].source=new xf(n)}if(this.depthBuffer=e.depthBuffer,this.stencilBuffer=e.stencilBuffer,this.resolveColorBuffer=e.resolveColorBuffer,this.resolveDepthBuffer=e.resolveDepthBuffer,this.resolveStencilBuffer=e.resolveStencilBuffer,this.storeMultisampledColorBuffer=e.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=e.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=e.storeMultisampledStencilBuffer,e.depthTexture!==null){if(e.depthTexture.renderTarget===e){let t=e.depthTexture.clone();t.renderTarget=null,this.depthTexture=t}else this.depthTexture=e.depthTexture}else this.depthTexture=null;return this.samples=e.samples,this.multiview=e.multiview,this.useArrayDepthTexture=e.useArrayDepthTexture,this}dispose(){this.dispatchEvent({type:`dispose`})}},Of=class extends Df{constructor(e=1,t=1,n={}){super(e,t,n),this.isWebGLRenderTarget=!0}},kf=class extends Tf{constructor(e=null,t=1,n=1,r=1){super(null),this.isDataArrayTexture=!0,this.image={data:e,width:t,height:n,depth:r},this.magFilter=Yl,this.minFilter=Yl,this.wrapR=ql,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}copy(e){return super.copy(e),this.wrapR=e.wrapR,this}addLayerUpdate(e){this.layerUpdates.add(e)}clearLayerUpdates(){this.layerUpdates.clear()}},Af=class extends Tf{constructor(e=null,t=1,n=1,r=1){super(null),this.isData3DTexture=!0,this.image={data:e,width:t,height:n,depth:r},this.magFilter=Yl,this.minFilter=Yl,this.wrapR=ql,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}copy(e){return super.copy(e),this.wrapR=e.wrapR,this}},jf=class e{static{this.prototype.isMatrix4=!0}constructor(e,t,n,r,i,a,o,s,c,l,u,d,f,p,m,h){this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],e!==void 0&&this.set(e,t,n,r,i,a,o,s,c,l,u,d,f,p,m,h)}set(e,t,n,r,i,a,o,s,c,l,u,d,f,p,m,h){let g=this.elements;return g[0]=e,g[4]=t,g[8]=n,g[12]=r,g[1]=i,g[5]=a,g[9]=o,g[13]=s,g[2]=c,g[6]=l,g[10]=u,g[14]=d,g[3]=f,g[7]=p,g[11]=m,g[15]=h,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new e().fromArray(this.elements)}copy(e){let t=this.elements,n=e.elements;return t[0]=n[0],t[1]=n[1],t[2]=n[2],t[3]=n[3],t[4]=n[4],t[5]=n[5],t[6]=n[6],t[7]=n[7],t[8]=n[8],t[9]=n[9],t[10]=n[10],t[11]=n[11],t[12]=n[12],t[13]=n[13],t[14]=n[14],t[15]=n[15],this}copyPosition(e){let t=this.elements,n=e.elements;return t[12]=n[12],t[13]=n[13],t[14]=n[14],this}setFromMatrix3(e){let t=e.elements;return this.set(t[0],t[3],t[6],0,t[1],t[4],t[7],0,t[2],t[5],t[8],0,0,0,0,1),this}extractBasis(e,t,n){return this.determinantAffine()===0?(e.set(1,0,0),t.set(0,1,0),n.set(0,0,1),this):(e.setFromMatrixColumn(this,0),t.setFromMatrixColumn(this,1),n.setFromMatrixColumn(this,2),this)}makeBasis(e,t,n){return this.set(e.x,t.x,n.x,0,e.y,t.y,n.y,0,e.z,t.z,n.z,0,0,0,0,1),this}extractRotation(e){if(e.determinantAffine()===0)return this.identity();let t=this.elements,n=e.elements,r=1/Mf.setFromMatrixColumn(e,0).length(),i=1/Mf.setFromMatrixColumn(e,1).length(),a=1/Mf.setFromMatrixColumn(e,2).length();return t[0]=n[0]*r,t[1]=n[1]*r,t[2]=n[2]*r,t[3]=0,t[4]=n[4]*i,t[5]=n[5]*i,t[6]=n[6]*i,t[7]=0,t[8]=n[8]*a,t[9]=n[9]*a,t[10]=n[10]*a,t[11]=0,t[12]=0,t[13]=0,t[14]=0,t[15]=1,this}makeRotationFromEuler(e){let t=this.elements,n=e.x,r=e.y,i=e.z,a=Math.cos(n),o=Math.sin(n),s=Math.cos(r),c=Math.sin(r),l=Math.cos(i),u=Math.sin(i);if(e.order===`XYZ`){let e=a*l,n=a*u,r=o*l,i=o*u;t[0]=s*l,t[4]=-s*u,t[8]=c,t[1]=n+r*c,t[5]=e-i*c,t[9]=-o*s,t[2]=i-e*c,t[6]=r+n*c,t[10]=a*s}else if(e.order===`YXZ`){let e=s*l,n=s*u,r=c*l,i=c*u;t[0]=e+i*o,t[4]=r*o-n,t[8]=a*c,t[1]=a*u,t[5]=a*l,t[9]=-o,t[2]=n*o-r,t[6]=i+e*o,t[10]=a*s}else if(e.order===`ZXY`){let e=s*l,n=s*u,r=c*l,i=c*u;t[0]=e-i*o,t[4]=-a*u,t[8]=r+n*o,t[1]=n+r*o,t[5]=a*l,t[9]=i-e*o,t[2]=-a*c,t[6]=o,t[10]=a*s}else if(e.order===`ZYX`){let e=a*l,n=a*u,r=o*l,i=o*u;t[0]=s*l,t[4]=r*c-n,t[8]=e*c+i,t[1]=s*u,t[5]=i*c+e,t[9]=n*c-r,t[2]=-c,t[6]=o*s,t[10]=a*s}else if(e.order===`YZX`){let e=a*s,n=a*c,r=o*s,i=o*c;t[0]=s*l,t[4]=i-e*u,t[8]=r*u+n,t[1]=u,t[5]=a*l,t[9]=-o*l,t[2]=-c*l,t[6]=n*u+r,t[10]=e-i*u}else if(e.order===`XZY`){let e=a*s,n=a*c,r=o*s,i=o*c;t[0]=s*l,t[4]=-u,t[8]=c*l,t[1]=e*u+i,t[5]=a*l,t[9]=n*u-r,t[2]=r*u-n,t[6]=o*l,t[10]=i*u+e}return t[3]=0,t[7]=0,t[11]=0,t[12]=0,t[13]=0,t[14]=0,t[15]=1,this}makeRotationFromQuaternion(e){return this.compose(Pf,e,Ff)}lookAt(e,t,n){let r=this.elements;return Rf.subVectors(e,t),Rf.lengthSq()===0&&(Rf.z=1),Rf.normalize(),If.crossVectors(n,Rf),If.lengthSq()===0&&(Math.abs(n.z)===1?Rf.x+=1e-4:Rf.z+=1e-4,Rf.normalize(),If.crossVectors(n,Rf)),If.normalize(),Lf.crossVectors(Rf,If),r[0]=If.x,r[4]=Lf.x,r[8]=Rf.x,r[1]=If.y,r[5]=Lf.y,r[9]=Rf.y,r[2]=If.z,r[6]=Lf.z,r[10]=Rf.z,this}multiply(e){return this.multiplyMatrices(this,e)}premultiply(e){return this.multiplyMatrices(e,this)}multiplyMatrices(e,t){let n=e.elements,r=t.elements,i=this.elements,a=n[0],o=n[4],s=n[8],c=n[12],l=n[1],u=n[5],d=n[9],f=n[13],p=n[2],m=n[6],h=n[10],g=n[14],_=n[3],v=n[7],y=n[11],b=n[15],x=r[0],S=r[4],C=r[8],w=r[12],T=r[1],E=r[5],D=r[9],O=r[13],k=r[2],A=r[6],j=r[10],M=r[14],N=r[3],ee=r[7],te=r[11],ne=r[15];return i[0]=a*x+o*T+s*k+c*N,i[4]=a*S+o*E+s*A+c*ee,i[8]=a*C+o*D+s*j+c*te,i[12]=a*w+o*O+s*M+c*ne,i[1]=l*x+u*T+d*k+f*N,i[5]=l*S+u*E+d*A+f*ee,i[9]=l*C+u*D+d*j+f*te,i[13]=l*w+u*O+d*M+f*ne,i[2]=p*x+m*T+h*k+g*N,i[6]=p*S+m*E+h*A+g*ee,i[10]=p*C+m*D+h*j+g*te,i[14]=p*w+m*O+h*M+g*ne,i[3]=_*x+v*T+y*k+b*N,i[7]=_*S+v*E+y*A+b*ee,i[11]=_*C+v*D+y*j+b*te,i[15]=_*w+v*O+y*M+b*ne,this}multiplyScalar(e){let t=this.elements;return t[0]*=e,t[4]*=e,t[8]*=e,t[12]*=e,t[1]*=e,t[5]*=e,t[9]*=e,t[13]*=e,t[2]*=e,t[6]*=e,t[10]*=e,t[14]*=e,t[3]*=e,t[7]*=e,t[11]*=e,t[15]*=e,this}determinant(){let e=this.elements,t=e[0],n=e[4],r=e[8],i=e[12],a=e[1],o=e[5],s=e[9],c=e[13],l=e[2],u=e[6],d=e[10],f=e[14],p=e[3],m=e[7],h=e[11],g=e[15],_=s*f-c*d,v=o*f-c*u,y=o*d-s*u,b=a*f-c*l,x=a*d-s*l,S=a*u-o*l;return t*(m*_-h*v+g*y)-n*(p*_-h*b+g*x)+r*(p*v-m*b+g*S)-i*(p*y-m*x+h*S)}determinantAffine(){let e=this.elements,t=e[0],n=e[4],r=e[8],i=e[1],a=e[5],o=e[9],s=e[2],c=e[6],l=e[10];return t*(a*l-o*c)-n*(i*l-o*s)+r*(i*c-a*s)}transpose(){let e=this.elements,t;return t=e[1],e[1]=e[4],e[4]=t,t=e[2],e[2]=e[8],e[8]=t,t=e[6],e[6]=e[9],e[9]=t,t=e[3],e[3]=e[12],e[12]=t,t=e[7],e[7]=e[13],e[13]=t,t=e[11],e[11]=e[14],e[14]=t,this}setPosition(e,t,n){let r=this.elements;return e.isVector3?(r[12]=e.x,r[13]=e.y,r[14]=e.z):(r[12]=e,r[13]=t,r[14]=n),this}invert(){let e=this.elements,t=e[0],n=e[1],r=e[2],i=e[3],a=e[4],o=e[5],s=e[6],c=e[7],l=e[8],u=e[9],d=e[10],f=e[11],p=e[12],m=e[13],h=e[14],g=e[15],_=t*o-n*a,v=t*s-r*a,y=t*c-i*a,b=n*s-r*o,x=n*c-i*o,S=r*c-i*s,C=l*m-u*p,w=l*h-d*p,T=l*g-f*p,E=u*h-d*m,D=u*g-f*m,O=d*g-f*h,k=_*O-v*D+y*E+b*T-x*w+S*C;if(k===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);let A=1/k;return e[0]=(o*O-s*D+c*E)*A,e[1]=(r*D-n*O-i*E)*A,e[2]=(m*S-h*x+g*b)*A,e[3]=(d*x-u*S-f*b)*A,e[4]=(s*T-a*O-c*w)*A,e[5]=(t*O-r*T+i*w)*A,e[6]=(h*y-p*S-g*v)*A,e[7]=(l*S-d*y+f*v)*A,e[8]=(a*D-o*T+c*C)*A,e[9]=(n*T-t*D-i*C)*A,e[10]=(p*x-m*y+g*_)*A,e[11]=(u*y-l*x-f*_)*A,e[12]=(o*w-a*E-s*C)*A,e[13]=(t*E-n*w+r*C)*A,e[14]=(m*v-p*b-h*_)*A,e[15]=(l*b-u*v+d*_)*A,this}scale(e){let t=this.elements,n=e.x,r=e.y,i=e.z;return t[0]*=n,t[4]*=r,t[8]*=i,t[1]*=n,t[5]*=r,t[9]*=i,t[2]*=n,t[6]*=r,t[10]*=i,t[3]*=n,t[7]*=r,t[11]*=i,this}getMaxScaleOnAxis(){let e=this.elements,t=e[0]*e[0]+e[1]*e[1]+e[2]*e[2],n=e[4]*e[4]+e[5]*e[5]+e[6]*e[6],r=e[8]*e[8]+e[9]*e[9]+e[10]*e[10];return Math.sqrt(Math.max(t,n,r))}makeTranslation(e,t,n){return e.isVector3?this.set(1,0,0,e.x,0,1,0,e.y,0,0,1,e.z,0,0,0,1):this.set(1,0,0,e,0,1,0,t,0,0,1,n,0,0,0,1),this}makeRotationX(e){let t=Math.cos(e),n=Math.sin(e);return this.set(1,0,0,0,0,t,-n,0,0,n,t,0,0,0,0,1),this}makeRotationY(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,0,n,0,0,1,0,0,-n,0,t,0,0,0,0,1),this}makeRotationZ(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,-n,0,0,n,t,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(e,t){let n=Math.cos(t),r=Math.sin(t),i=1-n,a=e.x,o=e.y,s=e.z,c=i*a,l=i*o;return this.set(c*a+n,c*o-r*s,c*s+r*o,0,c*o+r*s,l*o+n,l*s-r*a,0,c*s-r*o,l*s+r*a,i*s*s+n,0,0,0,0,1),this}makeScale(e,t,n){return this.set(e,0,0,0,0,t,0,0,0,0,n,0,0,0,0,1),this}makeShear(e,t,n,r,i,a){return this.set(1,n,i,0,e,1,a,0,t,r,1,0,0,0,0,1),this}compose(e,t,n){let r=this.elements,i=t._x,a=t._y,o=t._z,s=t._w,c=i+i,l=a+a,u=o+o,d=i*c,f=i*l,p=i*u,m=a*l,h=a*u,g=o*u,_=s*c,v=s*l,y=s*u,b=n.x,x=n.y,S=n.z;return r[0]=(1-(m+g))*b,r[1]=(f+y)*b,r[2]=(p-v)*b,r[3]=0,r[4]=(f-y)*x,r[5]=(1-(d+g))*x,r[6]=(h+_)*x,r[7]=0,r[8]=(p+v)*S,r[9]=(h-_)*S,r[10]=(1-(d+m))*S,r[11]=0,r[12]=e.x,r[13]=e.y,r[14]=e.z,r[15]=1,this}decompose(e,t,n){let r=this.elements;e.x=r[12],e.y=r[13],e.z=r[14];let i=this.determinantAffine();if(i===0)return n.set(1,1,1),t.identity(),this;let a=Mf.set(r[0],r[1],r[2]).length(),o=Mf.set(r[4],r[5],r[6]).length(),s=Mf.set(r[8],r[9],r[10]).length();i<0&&(a=-a),Nf.copy(this);let c=1/a,l=1/o,u=1/s;return Nf.elements[0]*=c,Nf.elements[1]*=c,Nf.elements[2]*=c,Nf.elements[4]*=l,Nf.elements[5]*=l,Nf.elements[6]*=l,Nf.elements[8]*=u,Nf.elements[9]*=u,Nf.elements[10]*=u,t.setFromRotationMatrix(Nf),n.x=a,n.y=o,n.z=s,this}makePerspective(e,t,n,r,i,a,o=bd,s=!1){let c=this.elements,l=2*i/(t-e),u=2*i/(n-r),d=(t+e)/(t-e),f=(n+r)/(n-r),p,m;if(s)p=i/(a-i),m=a*i/(a-i);else if(o===2e3)p=-(a+i)/(a-i),m=-2*a*i/(a-i);else if(o===2001)p=-a/(a-i),m=-a*i/(a-i);else throw Error(`THREE.Matrix4.makePerspective(): Invalid coordinate system: `+o);return c[0]=l,c[4]=0,c[8]=d,c[12]=0,c[1]=0,c[5]=u,c[9]=f,c[13]=0,c[2]=0,c[6]=0,c[10]=p,c[14]=m,c[3]=0,c[7]=0,c[11]=-1,c[15]=0,this}makeOrthographic(e,t,n,r,i,a,o=bd,s=!1){let c=this.elements,l=2/(t-e),u=2/(n-r),d=-(t+e)/(t-e),f=-(n+r)/(n-r),p,m;if(s)p=1/(a-i),m=a/(a-i);else if(o===2e3)p=-2/(a-i),m=-(a+i)/(a-i);else if(o===2001)p=-1/(a-i),m=-i/(a-i);else throw Error(`THREE.Matrix4.makeOrthographic(): Invalid coordinate system: `+o);return c[0]=l,c[4]=0,c[8]=0,c[12]=d,c[1]=0,c[5]=u,c[9]=0,c[13]=f,c[2]=0,c[6]=0,c[10]=p,c[14]=m,c[3]=0,c[7]=0,c[11]=0,c[15]=1,this}equals(e){let t=this.elements,n=e.elements;for(let e=0;e<16;e++)if(t[e]!==n[e])return!1;return!0}fromArray(e,t=0){for(let n=0;n<16;n++)this.elements[n]=e[n+t];return this}toArray(e=[],t=0){let n=this.elements;return e[t]=n[0],e[t+1]=n[1],e[t+2]=n[2],e[t+3]=n[3],e[t+4]=n[4],e[t+5]=n[5],e[t+6]=n[6],e[t+7]=n[7],e[t+8]=n[8],e[t+9]=n[9],e[t+10]=n[10],e[t+11]=n[11],e[t+12]=n[12],e[t+13]=n[13],e[t+14]=n[14],e[t+15]=n[15],e}},Mf=new Z,Nf=new jf,Pf=new Z(0,0,0),Ff=new Z(1,1,1),If=new Z,Lf=new Z,Rf=new Z,zf=new jf,Bf=new sf,Vf=class e{constructor(t=0,n=0,r=0,i=e.DEFAULT_ORDER){this.isEuler=!0,this._x=t,this._y=n,this._z=r,this._order=i}get x(){return this._x}set x(e){this._x=e,this._onChangeCallback()}get y(){return this._y}set y(e){this._y=e,this._onChangeCallback()}get z(){return this._z}set z(e){this._z=e,this._onChangeCallback()}get order(){return this._order}set order(e){this._order=e,this._onChangeCallback()}set(e,t,n,r=this._order){return this._x=e,this._y=t,this._z=n,this._order=r,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(e){return this._x=e._x,this._y=e._y,this._z=e._z,this._order=e._order,this._onChangeCallback(),this}setFromRotationMatrix(e,t=this._order,n=!0){let r=e.elements,i=r[0],a=r[4],o=r[8],s=r[1],c=r[5],l=r[9],u=r[2],d=r[6],f=r[10];switch(t){case`XYZ`:this._y=Math.asin(Ld(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(-l,f),this._z=Math.atan2(-a,i)):(this._x=Math.atan2(d,c),this._z=0);break;case`YXZ`:this._x=Math.asin(-Ld(l,-1,1)),Math.abs(l)<.9999999?(this._y=Math.atan2(o,f),this._z=Math.atan2(s,c)):(this._y=Math.atan2(-u,i),this._z=0);break;case`ZXY`:this._x=Math.asin(Ld(d,-1,1)),Math.abs(d)<.9999999?(this._y=Math.atan2(-u,f),this._z=Math.atan2(-a,c)):(this._y=0,this._z=Math.atan2(s,i));break;case`ZYX`:this._y=Math.asin(-Ld(u,-1,1)),Math.abs(u)<.9999999?(this._x=Math.atan2(d,f),this._z=Math.atan2(s,i)):(this._x=0,this._z=Math.atan2(-a,c));break;case`YZX`:this._z=Math.asin(Ld(s,-1,1)),Math.abs(s)<.9999999?(this._x=Math.atan2(-l,c),this._y=Math.atan2(-u,i)):(this._x=0,this._y=Math.atan2(o,f));break;case`XZY`:this._z=Math.asin(-Ld(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(d,c),this._y=Math.atan2(o,i)):(this._x=Math.atan2(-l,f),this._y=0);break;default:J(`Euler: .setFromRotationMatrix() encountered an unknown order: `+t)}return this._order=t,n===!0&&this._onChangeCallback(),this}setFromQuaternion(e,t,n){return zf.makeRotationFromQuaternion(e),this.setFromRotationMatrix(zf,t,n)}setFromVector3(e,t=this._order){return this.set(e.x,e.y,e.z,t)}reorder(e){return Bf.setFromEuler(this),this.setFromQuaternion(Bf,e)}equals(e){return e._x===this._x&&e._y===this._y&&e._z===this._z&&e._order===this._order}fromArray(e){return this._x=e[0],this._y=e[1],this._z=e[2],e[3]!==void 0&&(this._order=e[3]),this._onChangeCallback(),this}toArray(e=[],t=0){return e[t]=this._x,e[t+1]=this._y,e[t+2]=this._z,e[t+3]=this._order,e}_onChange(e){return this._onChangeCallback=e,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}};Vf.DEFAULT_ORDER=`XYZ`;var Hf=class{constructor(){this.mask=1}set(e){this.mask=1<<e>>>0}enable(e){this.mask|=1<<e}enableAll(){this.mask=-1}toggle(e){this.mask^=1<<e}disable(e){this.mask&=~(1<<e)}disableAll(){this.mask=0}test(e){return(this.mask&e.mask)!==0}isEnabled(e){return!!(this.mask&1<<e)}},Uf=0,Wf=new Z,Gf=new sf,Kf=new jf,qf=new Z,Jf=new Z,Yf=new Z,Xf=new sf,Zf=new Z(1,0,0),Qf=new Z(0,1,0),$f=new Z(0,0,1),ep={type:`added`},tp={type:`removed`},np={type:`childadded`,child:null},rp={type:`childremoved`,child:null},ip=class e extends jd{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:Uf++}),this.uuid=Id(),this.name=``,this.type=`Object3D`,this.parent=null,this.children=[],this.up=e.DEFAULT_UP.clone();let t=new Z,n=new Vf,r=new sf,i=new Z(1,1,1);function a(){r.setFromEuler(n,!1)}function o(){n.setFromQuaternion(r,void 0,!1)}n._onChange(a),r._onChange(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:t},rotation:{configurable:!0,enumerable:!0,value:n},quaternion:{configurable:!0,enumerable:!0,value:r},scale:{configurable:!0,enumerable:!0,value:i},modelViewMatrix:{value:new jf},normalMatrix:{value:new uf}}),this.matrix=new jf,this.matrixWorld=new jf,this.matrixAutoUpdate=e.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=e.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new Hf,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.static=!1,this.userData={},this.pivot=null}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(e){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(e),this.matrix.decompose(this.position,this.quaternion,this.scale),this.pivot!==null&&this.position.copy(this.pivot).applyMatrix4(this.matrix).sub(this.pivot)}applyQuaternion(e){return this.quaternion.premultiply(e),this}setRotationFromAxisAngle(e,t){this.quaternion.setFromAxisAngle(e,t)}setRotationFromEuler(e){this.quaternion.setFromEuler(e,!0)}setRotationFromMatrix(e){this.quaternion.setFromRotationMatrix(e)}setRotationFromQuaternion(e){this.quaternion.copy(e)}rotateOnAxis(e,t){return Gf.setFromAxisAngle(e,t),this.quaternion.multiply(Gf),this}rotateOnWorldAxis(e,t){return Gf.setFromAxisAngle(e,t),this.quaternion.premultiply(Gf),this}rotateX(e){return this.rotateOnAxis(Zf,e)}rotateY(e){return this.rotateOnAxis(Qf,e)}rotateZ(e){return this.rotateOnAxis($f,e)}translateOnAxis(e,t){return Wf.copy(e).applyQuaternion(this.quaternion),this.position.add(Wf.multiplyScalar(t)),this}translateX(e){return this.translateOnAxis(Zf,e)}translateY(e){return this.translateOnAxis(Qf,e)}translateZ(e){return this.translateOnAxis($f,e)}localToWorld(e){return this.updateWorldMatrix(!0,!1),e.applyMatrix4(this.matrixWorld)}worldToLocal(e){return this.updateWorldMatrix(!0,!1),e.applyMatrix4(Kf.copy(this.matrixWorld).invert())}lookAt(e,t,n){e.isVector3?qf.copy(e):qf.set(e,t,n);let r=this.parent;this.updateWorldMatrix(!0,!1),Jf.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?Kf.lookAt(Jf,qf,this.up):Kf.lookAt(qf,Jf,this.up),this.quaternion.setFromRotationMatrix(Kf),r&&(Kf.extractRotation(r.matrixWorld),Gf.setFromRotationMatrix(Kf),this.quaternion.premultiply(Gf.invert()))}add(e){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.add(arguments[e]);return this}return e===this?(Y(`Object3D.add: object can't be added as a child of itself.`,e),this):(e&&e.isObject3D?(e.removeFromParent(),e.parent=this,this.children.push(e),e.dispatchEvent(ep),np.child=e,this.dispatchEvent(np),np.child=null):Y(`Object3D.add: object not an instance of THREE.Object3D.`,e),this)}remove(e){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.remove(arguments[e]);return this}let t=this.children.indexOf(e);return t!==-1&&(e.parent=null,this.children.splice(t,1),e.dispatchEvent(tp),rp.child=e,this.dispatchEvent(rp),rp.child=null),this}removeFromParent(){let e=this.parent;return e!==null&&e.remove(this),this}clear(){return this.remove(...this.children)}attach(e){return this.updateWorldMatrix(!0,!1),Kf.copy(this.matrixWorld).invert(),e.parent!==null&&(e.parent.updateWorldMatrix(!0,!1),Kf.multiply(e.parent.matrixWorld)),e.applyMatrix4(Kf),e.removeFromParent(),e.parent=this,this.children.push(e),e.updateWorldMatrix(!1,!0),e.dispatchEvent(ep),np.child=e,this.dispatchEvent(np),np.child=null,this}getObjectById(e){return this.getObjectByProperty(`id`,e)}getObjectByName(e){return this.getObjectByProperty(`name`,e)}getObjectByProperty(e,t){if(this[e]===t)return this;for(let n=0,r=this.children.length;n<r;n++){let r=this.children[n].getObjectByProperty(e,t);if(r!==void 0)return r}}getObjectsByProperty(e,t,n=[]){this[e]===t&&n.push(this);let r=this.children;for(let i=0,a=r.length;i<a;i++)r[i].getObjectsByProperty(e,t,n);return n}getWorldPosition(e){return this.updateWorldMatrix(!0,!1),e.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(e){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Jf,e,Yf),e}getWorldScale(e){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Jf,Xf,e),e}getWorldDirection(e){this.updateWorldMatrix(!0,!1);let t=this.matrixWorld.elements;return e.set(t[8],t[9],t[10]).normalize()}raycast(){}intersectsFrustum(){return!0}traverse(e){e(this);let t=this.children;for(let n=0,r=t.length;n<r;n++)t[n].traverse(e)}traverseVisible(e){if(this.visible===!1)return;e(this);let t=this.children;for(let n=0,r=t.length;n<r;n++)t[n].traverseVisible(e)}traverseAncestors(e){let t=this.parent;t!==null&&(e(t),t.traverseAncestors(e))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale);let e=this.pivot;if(e!==null){let t=e.x,n=e.y,r=e.z,i=this.matrix.elements;i[12]+=t-i[0]*t-i[4]*n-i[8]*r,i[13]+=n-i[1]*t-i[5]*n-i[9]*r,i[14]+=r-i[2]*t-i[6]*n-i[10]*r}this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(e){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||e)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,e=!0);let t=this.children;for(let n=0,r=t.length;n<r;n++)t[n].updateMatrixWorld(e)}updateWorldMatrix(e,t,n=!1){let r=this.parent;if(e===!0&&r!==null&&r.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||n)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,n=!0),t===!0){let e=this.children;for(let t=0,r=e.length;t<r;t++)e[t].updateWorldMatrix(!1,!0,n)}}toJSON(e){let t=e===void 0||typeof e==`string`,n={};t&&(e={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},n.metadata={version:4.7,type:`Object`,generator:`Object3D.toJSON`});let r={};r.uuid=this.uuid,r.type=this.type,r.name=this.name,r.castShadow=this.castShadow,r.receiveShadow=this.receiveShadow,r.visible=this.visible,r.frustumCulled=this.frustumCulled,r.renderOrder=this.renderOrder,r.static=this.static,r.matrixAutoUpdate=this.matrixAutoUpdate,Object.keys(this.userData).length>0&&(r.userData=this.userData),r.layers=this.layers.mask,r.matrix=this.matrix.toArray(),r.up=this.up.toArray(),this.pivot!==null&&(r.pivot=this.pivot.toArray()),this.morphTargetDictionary!==void 0&&(r.morphTargetDictionary=Object.assign({},this.morphTargetDictionary)),this.morphTargetInfluences!==void 0&&(r.morphTargetInfluences=this.morphTargetInfluences.slice()),this.isInstancedMesh&&(r.type=`InstancedMesh`,r.count=this.count,r.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(r.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(r.type=`BatchedMesh`,r.perObjectFrustumCulled=this.perObjectFrustumCulled,r.sortObjects=this.sortObjects,r.drawRanges=this._drawRanges,r.reservedRanges=this._reservedRanges,r.geometryInfo=this._geometryInfo.map(e=>({...e,boundingBox:e.boundingBox?e.boundingBox.toJSON():void 0,boundingSphere:e.boundingSphere?e.boundingSphere.toJSON():void 0})),r.instanceInfo=this._instanceInfo.map(e=>({...e})),r.availableInstanceIds=this._availableInstanceIds.slice(),r.availableGeometryIds=this._availableGeometryIds.slice(),r.nextIndexStart=this._nextIndexStart,r.nextVertexStart=this._nextVertexStart,r.geometryCount=this._geometryCount,r.maxInstanceCount=this._maxInstanceCount,r.maxVertexCount=this._maxVertexCount,r.maxIndexCount=this._maxIndexCount,r.geometryInitialized=this._geometryInitialized,r.matricesTexture=this._matricesTexture.toJSON(e),r.indirectTexture=this._indirectTexture.toJSON(e),this._colorsTexture!==null&&(r.colorsTexture=this._colorsTexture.toJSON(e)),this.boundingSphere!==null&&(r.boundingSphere=this.boundingSphere.toJSON()),this.boundingBox!==null&&(r.boundingBox=this.boundingBox.toJSON()));function i(t,n){return t[n.uuid]===void 0&&(t[n.uuid]=n.toJSON(e)),n.uuid}if(this.isScene)this.background&&(this.background.isColor?r.background=this.background.toJSON():this.background.isTexture&&(r.background=this.background.toJSON(e).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(r.environment=this.environment.toJSON(e).uuid);else if(this.isMesh||this.isLine||this.isPoints){r.geometry=i(e.geometries,this.geometry);let t=this.geometry.parameters;if(t!==void 0&&t.shapes!==void 0){let n=t.shapes;if(Array.isArray(n))for(let t=0,r=n.length;t<r;t++){let r=n[t];i(e.shapes,r)}else i(e.shapes,n)}}if(this.isSkinnedMesh&&(r.bindMode=this.bindMode,r.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(i(e.skeletons,this.skeleton),r.skeleton=this.skeleton.uuid)),this.material!==void 0){if(Array.isArray(this.material)){let t=[];for(let n=0,r=this.material.length;n<r;n++)t.push(i(e.materials,this.material[n]));r.material=t}else r.material=i(e.materials,this.material)}if(this.children.length>0){r.children=[];for(let t=0;t<this.children.length;t++)r.children.push(this.children[t].toJSON(e).object)}if(this.animations.length>0){r.animations=[];for(let t=0;t<this.animations.length;t++){let n=this.animations[t];r.animations.push(i(e.animations,n))}}if(t){let t=a(e.geometries),r=a(e.materials),i=a(e.textures),o=a(e.images),s=a(e.shapes),c=a(e.skeletons),l=a(e.animations),u=a(e.nodes);t.length>0&&(n.geometries=t),r.length>0&&(n.materials=r),i.length>0&&(n.textures=i),o.length>0&&(n.images=o),s.length>0&&(n.shapes=s),c.length>0&&(n.skeletons=c),l.length>0&&(n.animations=l),u.length>0&&(n.nodes=u)}return n.object=r,n;function a(e){let t=[];for(let n in e){let r=e[n];delete r.metadata,t.push(r)}return t}}clone(e){return new this.constructor().copy(this,e)}copy(e,t=!0){if(this.name=e.name,this.up.copy(e.up),this.position.copy(e.position),this.rotation.order=e.rotation.order,this.quaternion.copy(e.quaternion),this.scale.copy(e.scale),this.pivot=e.pivot===null?null:e.pivot.clone(),this.matrix.copy(e.matrix),this.matrixWorld.copy(e.matrixWorld),this.matrixAutoUpdate=e.matrixAutoUpdate,this.matrixWorldAutoUpdate=e.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=e.matrixWorldNeedsUpdate,this.layers.mask=e.layers.mask,this.visible=e.visible,this.castShadow=e.castShadow,this.receiveShadow=e.receiveShadow,this.frustumCulled=e.frustumCulled,this.renderOrder=e.renderOrder,this.static=e.static,this.animations=e.animations.slice(),this.userData=JSON.parse(JSON.stringify(e.userData)),t===!0)for(let t=0;t<e.children.length;t++){let n=e.children[t];this.add(n.clone())}return this}dispose(){this.dispatchEvent({type:`dispose`})}};ip.DEFAULT_UP=new Z(0,1,0),ip.DEFAULT_MATRIX_AUTO_UPDATE=!0,ip.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;var ap=class extends ip{constructor(){super(),this.isGroup=!0,this.type=`Group`}},op={type:`move`},sp=class{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new ap,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new ap,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new Z,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new Z),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new ap,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new Z,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new Z,this._grip.eventsEnabled=!1),this._grip}dispatchEvent(e){return this._targetRay!==null&&this._targetRay.dispatchEvent(e),this._grip!==null&&this._grip.dispatchEvent(e),this._hand!==null&&this._hand.dispatchEvent(e),this}connect(e){if(e&&e.hand){let t=this._hand;if(t)for(let n of e.hand.values())this._getHandJoint(t,n)}return this.dispatchEvent({type:`connected`,data:e}),this}disconnect(e){return this.dispatchEvent({type:`disconnected`,data:e}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(e,t,n){let r=null,i=null,a=null,o=this._targetRay,s=this._grip,c=this._hand;if(e&&t.session.visibilityState!==`visible-blurred`){if(c&&e.hand){a=!0;for(let r of e.hand.values()){let e=t.getJointPose(r,n),i=this._getHandJoint(c,r);e!==null&&(i.matrix.fromArray(e.transform.matrix),i.matrix.decompose(i.position,i.quaternion,i.scale),i.matrixWorldNeedsUpdate=!0,i.jointRadius=e.radius),i.visible=e!==null}let r=c.joints[`index-finger-tip`],i=c.joints[`thumb-tip`],o=r.position.distanceTo(i.position);c.inputState.pinching&&o>.025?(c.inputState.pinching=!1,this.dispatchEvent({type:`pinchend`,handedness:e.handedness,target:this})):!c.inputState.pinching&&o<=.015&&(c.inputState.pinching=!0,this.dispatchEvent({type:`pinchstart`,handedness:e.handedness,target:this}))}else s!==null&&e.gripSpace&&(i=t.getPose(e.gripSpace,n),i!==null&&(s.matrix.fromArray(i.transform.matrix),s.matrix.decompose(s.position,s.quaternion,s.scale),s.matrixWorldNeedsUpdate=!0,i.linearVelocity?(s.hasLinearVelocity=!0,s.linearVelocity.copy(i.linearVelocity)):s.hasLinearVelocity=!1,i.angularVelocity?(s.hasAngularVelocity=!0,s.angularVelocity.copy(i.angularVelocity)):s.hasAngularVelocity=!1,s.eventsEnabled&&s.dispatchEvent({type:`gripUpdated`,data:e,target:this})));o!==null&&(r=t.getPose(e.targetRaySpace,n),r===null&&i!==null&&(r=i),r!==null&&(o.matrix.fromArray(r.transform.matrix),o.matrix.decompose(o.position,o.quaternion,o.scale),o.matrixWorldNeedsUpdate=!0,r.linearVelocity?(o.hasLinearVelocity=!0,o.linearVelocity.copy(r.linearVelocity)):o.hasLinearVelocity=!1,r.angularVelocity?(o.hasAngularVelocity=!0,o.angularVelocity.copy(r.angularVelocity)):o.hasAngularVelocity=!1,this.dispatchEvent(op)))}return o!==null&&(o.visible=r!==null),s!==null&&(s.visible=i!==null),c!==null&&(c.visible=a!==null),this}_getHandJoint(e,t){if(e.joints[t.jointName]===void 0){let n=new ap;n.matrixAutoUpdate=!1,n.visible=!1,e.joints[t.jointName]=n,e.add(n)}return e.joints[t.jointName]}},cp={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},lp={h:0,s:0,l:0},up={h:0,s:0,l:0};function dp(e,t,n){return n<0&&(n+=1),n>1&&--n,n<1/6?e+(t-e)*6*n:n<1/2?t:n<2/3?e+(t-e)*6*(2/3-n):e}var Q=class{constructor(e,t,n){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(e,t,n)}set(e,t,n){if(t===void 0&&n===void 0){let t=e;t&&t.isColor?this.copy(t):typeof t==`number`?this.setHex(t):typeof t==`string`&&this.setStyle(t)}else this.setRGB(e,t,n);return this}setScalar(e){return this.r=e,this.g=e,this.b=e,this}setHex(e,t=md){return e=Math.floor(e),this.r=(e>>16&255)/255,this.g=(e>>8&255)/255,this.b=(e&255)/255,hf.colorSpaceToWorking(this,t),this}setRGB(e,t,n,r=hf.workingColorSpace){return this.r=e,this.g=t,this.b=n,hf.colorSpaceToWorking(this,r),this}setHSL(e,t,n,r=hf.workingColorSpace){if(e=Rd(e,1),t=Ld(t,0,1),n=Ld(n,0,1),t===0)this.r=this.g=this.b=n;else{let r=n<=.5?n*(1+t):n+t-n*t,i=2*n-r;this.r=dp(i,r,e+1/3),this.g=dp(i,r,e),this.b=dp(i,r,e-1/3)}return hf.colorSpaceToWorking(this,r),this}setStyle(e,t=md){function n(t){t!==void 0&&parseFloat(t)<1&&J(`Color: Alpha component of `+e+` will be ignored.`)}let r;if(r=/^(\w+)\(([^\)]*)\)/.exec(e)){let i,a=r[1],o=r[2];switch(a){case`rgb`:case`rgba`:if(i=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(o))return n(i[4]),this.setRGB(Math.min(255,parseInt(i[1],10))/255,Math.min(255,parseInt(i[2],10))/255,Math.min(255,parseInt(i[3],10))/255,t);if(i=/^\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(o))return n(i[4]),this.setRGB(Math.min(100,parseFloat(i[1]))/100,Math.min(100,parseFloat(i[2]))/100,Math.min(100,parseFloat(i[3]))/100,t);break;case`hsl`:case`hsla`:if(i=/^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(o))return n(i[4]),this.setHSL(parseFloat(i[1])/360,parseFloat(i[2])/100,parseFloat(i[3])/100,t);break;default:J(`Color: Unknown color model `+e)}}else if(r=/^\#([A-Fa-f\d]+)$/.exec(e)){let n=r[1],i=n.length;if(i===3)return this.setRGB(parseInt(n.charAt(0),16)/15,parseInt(n.charAt(1),16)/15,parseInt(n.charAt(2),16)/15,t);if(i===6)return this.setHex(parseInt(n,16),t);J(`Color: Invalid hex color `+e)}else if(e&&e.length>0)return this.setColorName(e,t);return this}setColorName(e,t=md){let n=cp[e.toLowerCase()];return n===void 0?J(`Color: Unknown color `+e):this.setHex(n,t),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(e){return this.r=e.r,this.g=e.g,this.b=e.b,this}copySRGBToLinear(e){return this.r=gf(e.r),this.g=gf(e.g),this.b=gf(e.b),this}copyLinearToSRGB(e){return this.r=_f(e.r),this.g=_f(e.g),this.b=_f(e.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(e=md){return hf.workingToColorSpace(fp.copy(this),e),Math.round(Ld(fp.r*255,0,255))*65536+Math.round(Ld(fp.g*255,0,255))*256+Math.round(Ld(fp.b*255,0,255))}getHexString(e=md){return(`000000`+this.getHex(e).toString(16)).slice(-6)}getHSL(e,t=hf.workingColorSpace){hf.workingToColorSpace(fp.copy(this),t);let n=fp.r,r=fp.g,i=fp.b,a=Math.max(n,r,i),o=Math.min(n,r,i),s,c,l=(o+a)/2;if(o===a)s=0,c=0;else{let e=a-o;switch(c=l<=.5?e/(a+o):e/(2-a-o),a){case n:s=(r-i)/e+(r<i?6:0);break;case r:s=(i-n)/e+2;break;case i:s=(n-r)/e+4}s/=6}return e.h=s,e.s=c,e.l=l,e}getRGB(e,t=hf.workingColorSpace){return hf.workingToColorSpace(fp.copy(this),t),e.r=fp.r,e.g=fp.g,e.b=fp.b,e}getStyle(e=md){hf.workingToColorSpace(fp.copy(this),e);let t=fp.r,n=fp.g,r=fp.b;return e===`srgb`?`rgb(${Math.round(t*255)},${Math.round(n*255)},${Math.round(r*255)})`:`color(${e} ${t.toFixed(3)} ${n.toFixed(3)} ${r.toFixed(3)})`}offsetHSL(e,t,n){return this.getHSL(lp),this.setHSL(lp.h+e,lp.s+t,lp.l+n)}add(e){return this.r+=e.r,this.g+=e.g,this.b+=e.b,this}addColors(e,t){return this.r=e.r+t.r,this.g=e.g+t.g,this.b=e.b+t.b,this}addScalar(e){return this.r+=e,this.g+=e,this.b+=e,this}sub(e){return this.r=Math.max(0,this.r-e.r),this.g=Math.max(0,this.g-e.g),this.b=Math.max(0,this.b-e.b),this}multiply(e){return this.r*=e.r,this.g*=e.g,this.b*=e.b,this}multiplyScalar(e){return this.r*=e,this.g*=e,this.b*=e,this}lerp(e,t){return this.r+=(e.r-this.r)*t,this.g+=(e.g-this.g)*t,this.b+=(e.b-this.b)*t,this}lerpColors(e,t,n){return this.r=e.r+(t.r-e.r)*n,this.g=e.g+(t.g-e.g)*n,this.b=e.b+(t.b-e.b)*n,this}lerpHSL(e,t){this.getHSL(lp),e.getHSL(up);let n=Vd(lp.h,up.h,t),r=Vd(lp.s,up.s,t),i=Vd(lp.l,up.l,t);return this.setHSL(n,r,i),this}setFromVector3(e){return this.r=e.x,this.g=e.y,this.b=e.z,this}applyMatrix3(e){let t=this.r,n=this.g,r=this.b,i=e.elements;return this.r=i[0]*t+i[3]*n+i[6]*r,this.g=i[1]*t+i[4]*n+i[7]*r,this.b=i[2]*t+i[5]*n+i[8]*r,this}equals(e){return e.r===this.r&&e.g===this.g&&e.b===this.b}fromArray(e,t=0){return this.r=e[t],this.g=e[t+1],this.b=e[t+2],this}toArray(e=[],t=0){return e[t]=this.r,e[t+1]=this.g,e[t+2]=this.b,e}fromBufferAttribute(e,t){return this.r=e.getX(t),this.g=e.getY(t),this.b=e.getZ(t),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}},fp=new Q;Q.NAMES=cp;var pp=class extends ip{constructor(){super(),this.isScene=!0,this.type=`Scene`,this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new Vf,this.environmentIntensity=1,this.environmentRotation=new Vf,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<`u`&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent(`observe`,{detail:this}))}copy(e,t){return super.copy(e,t),this.background=e.background===null?null:e.background.clone(),this.environment=e.environment===null?null:e.environment.clone(),this.fog=e.fog===null?null:e.fog.clone(),this.backgroundBlurriness=e.backgroundBlurriness,this.backgroundIntensity=e.backgroundIntensity,this.backgroundRotation.copy(e.backgroundRotation),this.environmentIntensity=e.environmentIntensity,this.environmentRotation.copy(e.environmentRotation),this.overrideMaterial=e.overrideMaterial===null?null:e.overrideMaterial.clone(),this.matrixAutoUpdate=e.matrixAutoUpdate,this}toJSON(e){let t=super.toJSON(e);return this.fog!==null&&(t.object.fog=this.fog.toJSON()),t.object.backgroundBlurriness=this.backgroundBlurriness,t.object.backgroundIntensity=this.backgroundIntensity,t.object.backgroundRotation=this.backgroundRotation.toArray(),t.object.environmentIntensity=this.environmentIntensity,t.object.environmentRotation=this.environmentRotation.toArray(),t}},mp=new Z,hp=new Z,gp=new Z,_p=new Z,vp=new Z,yp=new Z,bp=new Z,xp=new Z,Sp=new Z,Cp=new Z,wp=new Ef,Tp=new Ef,Ep=new Ef,Dp=class e{constructor(e=new Z,t=new Z,n=new Z){this.a=e,this.b=t,this.c=n}static getNormal(e,t,n,r){r.subVectors(n,t),mp.subVectors(e,t),r.cross(mp);let i=r.lengthSq();return i>0?r.multiplyScalar(1/Math.sqrt(i)):r.set(0,0,0)}static getBarycoord(e,t,n,r,i){mp.subVectors(r,t),hp.subVectors(n,t),gp.subVectors(e,t);let a=mp.dot(mp),o=mp.dot(hp),s=mp.dot(gp),c=hp.dot(hp),l=hp.dot(gp),u=a*c-o*o;if(u===0)return i.set(0,0,0),null;let d=1/u,f=(c*s-o*l)*d,p=(a*l-o*s)*d;return i.set(1-f-p,p,f)}static containsPoint(e,t,n,r){return this.getBarycoord(e,t,n,r,_p)!==null&&_p.x>=0&&_p.y>=0&&_p.x+_p.y<=1}static getInterpolation(e,t,n,r,i,a,o,s){return this.getBarycoord(e,t,n,r,_p)===null?(s.x=0,s.y=0,`z`in s&&(s.z=0),`w`in s&&(s.w=0),null):(s.setScalar(0),s.addScaledVector(i,_p.x),s.addScaledVector(a,_p.y),s.addScaledVector(o,_p.z),s)}static getInterpolatedAttribute(e,t,n,r,i,a){return wp.setScalar(0),Tp.setScalar(0),Ep.setScalar(0),wp.fromBufferAttribute(e,t),Tp.fromBufferAttribute(e,n),Ep.fromBufferAttribute(e,r),a.setScalar(0),a.addScaledVector(wp,i.x),a.addScaledVector(Tp,i.y),a.addScaledVector(Ep,i.z),a}static isFrontFacing(e,t,n,r){return mp.subVectors(n,t),hp.subVectors(e,t),mp.cross(hp).dot(r)<0}set(e,t,n){return this.a.copy(e),this.b.copy(t),this.c.copy(n),this}setFromPointsAndIndices(e,t,n,r){return this.a.copy(e[t]),this.b.copy(e[n]),this.c.copy(e[r]),this}setFromAttributeAndIndices(e,t,n,r){return this.a.fromBufferAttribute(e,t),this.b.fromBufferAttribute(e,n),this.c.fromBufferAttribute(e,r),this}clone(){return new this.constructor().copy(this)}copy(e){return this.a.copy(e.a),this.b.copy(e.b),this.c.copy(e.c),this}getArea(){return mp.subVectors(this.c,this.b),hp.subVectors(this.a,this.b),mp.cross(hp).length()*.5}getMidpoint(e){return e.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(t){return e.getNormal(this.a,this.b,this.c,t)}getPlane(e){return e.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(t,n){return e.getBarycoord(t,this.a,this.b,this.c,n)}getInterpolation(t,n,r,i,a){return e.getInterpolation(t,this.a,this.b,this.c,n,r,i,a)}containsPoint(t){return e.containsPoint(t,this.a,this.b,this.c)}isFrontFacing(t){return e.isFrontFacing(this.a,this.b,this.c,t)}intersectsBox(e){return e.intersectsTriangle(this)}closestPointToPoint(e,t){let n=this.a,r=this.b,i=this.c,a,o;vp.subVectors(r,n),yp.subVectors(i,n),xp.subVectors(e,n);let s=vp.dot(xp),c=yp.dot(xp);if(s<=0&&c<=0)return t.copy(n);Sp.subVectors(e,r);let l=vp.dot(Sp),u=yp.dot(Sp);if(l>=0&&u<=l)return t.copy(r);let d=s*u-l*c;if(d<=0&&s>=0&&l<=0&&s-l>0)return a=s/(s-l),t.copy(n).addScaledVector(vp,a);Cp.subVectors(e,i);let f=vp.dot(Cp),p=yp.dot(Cp);if(p>=0&&f<=p)return t.copy(i);let m=f*c-s*p;if(m<=0&&c>=0&&p<=0)return o=c/(c-p),t.copy(n).addScaledVector(yp,o);let h=l*p-f*u;if(h<=0&&u-l>=0&&f-p>=0)return bp.subVectors(i,r),o=(u-l)/(u-l+(f-p)),t.copy(r).addScaledVector(bp,o);let g=1/(h+m+d);return a=m*g,o=d*g,t.copy(n).addScaledVector(vp,a).addScaledVector(yp,o)}equals(e){return e.a.equals(this.a)&&e.b.equals(this.b)&&e.c.equals(this.c)}},Op=class{constructor(e=new Z(1/0,1/0,1/0),t=new Z(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=e,this.max=t}set(e,t){return this.min.copy(e),this.max.copy(t),this}setFromArray(e){this.makeEmpty();for(let t=0,n=e.length;t<n;t+=3)this.expandByPoint(Ap.fromArray(e,t));return this}setFromBufferAttribute(e){this.makeEmpty();for(let t=0,n=e.count;t<n;t++)this.expandByPoint(Ap.fromBufferAttribute(e,t));return this}setFromPoints(e){this.makeEmpty();for(let t=0,n=e.length;t<n;t++)this.expandByPoint(e[t]);return this}setFromCenterAndSize(e,t){let n=Ap.copy(t).multiplyScalar(.5);return this.min.copy(e).sub(n),this.max.copy(e).add(n),this}setFromObject(e,t=!1){return this.makeEmpty(),this.expandByObject(e,t)}clone(){return new this.constructor().copy(this)}copy(e){return this.min.copy(e.min),this.max.copy(e.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(e){return this.isEmpty()?e.set(0,0,0):e.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(e){return this.isEmpty()?e.set(0,0,0):e.subVectors(this.max,this.min)}expandByPoint(e){return this.min.min(e),this.max.max(e),this}expandByVector(e){return this.min.sub(e),this.max.add(e),this}expandByScalar(e){return this.min.addScalar(-e),this.max.addScalar(e),this}expandByObject(e,t=!1){e.updateWorldMatrix(!1,!1);let n=e.geometry;if(n!==void 0){let r=n.getAttribute(`position`);if(t===!0&&r!==void 0&&e.isInstancedMesh!==!0&&e.isBatchedMesh!==!0)for(let t=0,n=r.count;t<n;t++)e.isMesh===!0?e.getVertexPosition(t,Ap):Ap.fromBufferAttribute(r,t),Ap.applyMatrix4(e.matrixWorld),this.expandByPoint(Ap);else e.boundingBox===void 0?(n.boundingBox===null&&n.computeBoundingBox(),jp.copy(n.boundingBox)):(e.boundingBox===null&&e.computeBoundingBox(),jp.copy(e.boundingBox)),jp.applyMatrix4(e.matrixWorld),this.union(jp)}let r=e.children;for(let e=0,n=r.length;e<n;e++)this.expandByObject(r[e],t);return this}containsPoint(e){return e.x>=this.min.x&&e.x<=this.max.x&&e.y>=this.min.y&&e.y<=this.max.y&&e.z>=this.min.z&&e.z<=this.max.z}containsBox(e){return this.min.x<=e.min.x&&e.max.x<=this.max.x&&this.min.y<=e.min.y&&e.max.y<=this.max.y&&this.min.z<=e.min.z&&e.max.z<=this.max.z}getParameter(e,t){return t.set((e.x-this.min.x)/(this.max.x-this.min.x),(e.y-this.min.y)/(this.max.y-this.min.y),(e.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(e){return e.max.x>=this.min.x&&e.min.x<=this.max.x&&e.max.y>=this.min.y&&e.min.y<=this.max.y&&e.max.z>=this.min.z&&e.min.z<=this.max.z}intersectsSphere(e){return this.clampPoint(e.center,Ap),Ap.distanceToSquared(e.center)<=e.radius*e.radius}intersectsPlane(e){let t,n;return e.normal.x>0?(t=e.normal.x*this.min.x,n=e.normal.x*this.max.x):(t=e.normal.x*this.max.x,n=e.normal.x*this.min.x),e.normal.y>0?(t+=e.normal.y*this.min.y,n+=e.normal.y*this.max.y):(t+=e.normal.y*this.max.y,n+=e.normal.y*this.min.y),e.normal.z>0?(t+=e.normal.z*this.min.z,n+=e.normal.z*this.max.z):(t+=e.normal.z*this.max.z,n+=e.normal.z*this.min.z),t<=-e.constant&&n>=-e.constant}intersectsTriangle(e){if(this.isEmpty())return!1;this.getCenter(Rp),zp.subVectors(this.max,Rp),Mp.subVectors(e.a,Rp),Np.subVectors(e.b,Rp),Pp.subVectors(e.c,Rp),Fp.subVectors(Np,Mp),Ip.subVectors(Pp,Np),Lp.subVectors(Mp,Pp);let t=[0,-Fp.z,Fp.y,0,-Ip.z,Ip.y,0,-Lp.z,Lp.y,Fp.z,0,-Fp.x,Ip.z,0,-Ip.x,Lp.z,0,-Lp.x,-Fp.y,Fp.x,0,-Ip.y,Ip.x,0,-Lp.y,Lp.x,0];return!Hp(t,Mp,Np,Pp,zp)||(t=[1,0,0,0,1,0,0,0,1],!Hp(t,Mp,Np,Pp,zp))?!1:(Bp.crossVectors(Fp,Ip),t=[Bp.x,Bp.y,Bp.z],Hp(t,Mp,Np,Pp,zp))}clampPoint(e,t){return t.copy(e).clamp(this.min,this.max)}distanceToPoint(e){return this.clampPoint(e,Ap).distanceTo(e)}getBoundingSphere(e){return this.isEmpty()?e.makeEmpty():(this.getCenter(e.center),e.radius=this.getSize(Ap).length()*.5),e}intersect(e){return this.min.max(e.min),this.max.min(e.max),this.isEmpty()&&this.makeEmpty(),this}union(e){return this.min.min(e.min),this.max.max(e.max),this}applyMatrix4(e){return this.isEmpty()||(kp[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(e),kp[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(e),kp[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(e),kp[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(e),kp[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(e),kp[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(e),kp[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(e),kp[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(e),this.setFromPoints(kp)),this}translate(e){return this.min.add(e),this.max.add(e),this}equals(e){return e.min.equals(this.min)&&e.max.equals(this.max)}toJSON(){return{min:this.min.toArray(),max:this.max.toArray()}}fromJSON(e){return this.min.fromArray(e.min),this.max.fromArray(e.max),this}},kp=[new Z,new Z,new Z,new Z,new Z,new Z,new Z,new Z],Ap=new Z,jp=new Op,Mp=new Z,Np=new Z,Pp=new Z,Fp=new Z,Ip=new Z,Lp=new Z,Rp=new Z,zp=new Z,Bp=new Z,Vp=new Z;function Hp(e,t,n,r,i){for(let a=0,o=e.length-3;a<=o;a+=3){Vp.fromArray(e,a);let o=i.x*Math.abs(Vp.x)+i.y*Math.abs(Vp.y)+i.z*Math.abs(Vp.z),s=t.dot(Vp),c=n.dot(Vp),l=r.dot(Vp);if(Math.max(-Math.max(s,c,l),Math.min(s,c,l))>o)return!1}return!0}var Up=new Z,Wp=new X,Gp=0,Kp=class extends jd{constructor(e,t,n=!1){if(super(),Array.isArray(e))throw TypeError(`THREE.BufferAttribute: array should be a Typed Array.`);this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:Gp++}),this.name=``,this.array=e,this.itemSize=t,this.count=e===void 0?0:e.length/t,this.normalized=n,this.usage=yd,this.updateRanges=[],this.gpuType=su,this.version=0,this._normalizationScale=e===void 0?void 0:nf(e)}onUploadCallback(){}set needsUpdate(e){e===!0&&this.version++}setUsage(e){return this.usage=e,this}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}copy(e){return this.name=e.name,this.array=new e.array.constructor(e.array),this.itemSize=e.itemSize,this.count=e.count,this.normalized=e.normalized,this.usage=e.usage,this.gpuType=e.gpuType,this._normalizationScale=e._normalizationScale,this}copyAt(e,t,n){e*=this.itemSize,n*=t.itemSize;for(let r=0,i=this.itemSize;r<i;r++)this.array[e+r]=t.array[n+r];return this}copyArray(e){return this.array.set(e),this}applyMatrix3(e){if(this.itemSize===2)for(let t=0,n=this.count;t<n;t++)Wp.fromBufferAttribute(this,t),Wp.applyMatrix3(e),this.setXY(t,Wp.x,Wp.y);else if(this.itemSize===3)for(let t=0,n=this.count;t<n;t++)Up.fromBufferAttribute(this,t),Up.applyMatrix3(e),this.setXYZ(t,Up.x,Up.y,Up.z);return this}applyMatrix4(e){for(let t=0,n=this.count;t<n;t++)Up.fromBufferAttribute(this,t),Up.applyMatrix4(e),this.setXYZ(t,Up.x,Up.y,Up.z);return this}applyNormalMatrix(e){for(let t=0,n=this.count;t<n;t++)Up.fromBufferAttribute(this,t),Up.applyNormalMatrix(e),this.setXYZ(t,Up.x,Up.y,Up.z);return this}transformDirection(e){for(let t=0,n=this.count;t<n;t++)Up.fromBufferAttribute(this,t),Up.transformDirection(e),this.setXYZ(t,Up.x,Up.y,Up.z);return this}set(e,t=0){return this.array.set(e,t),this}getComponent(e,t){let n=this.array[e*this.itemSize+t];return this.normalized&&(n=this._denormalize(n)),n}setComponent(e,t,n){return this.normalized&&(n=this._normalize(n)),this.array[e*this.itemSize+t]=n,this}getX(e){let t=this.array[e*this.itemSize];return this.normalized&&(t=this._denormalize(t)),t}setX(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize]=t,this}getY(e){let t=this.array[e*this.itemSize+1];return this.normalized&&(t=this._denormalize(t)),t}setY(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+1]=t,this}getZ(e){let t=this.array[e*this.itemSize+2];return this.normalized&&(t=this._denormalize(t)),t}setZ(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+2]=t,this}getW(e){let t=this.array[e*this.itemSize+3];return this.normalized&&(t=this._denormalize(t)),t}setW(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+3]=t,this}setXY(e,t,n){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n)),this.array[e+0]=t,this.array[e+1]=n,this}setXYZ(e,t,n,r){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n),r=this._normalize(r)),this.array[e+0]=t,this.array[e+1]=n,this.array[e+2]=r,this}setXYZW(e,t,n,r,i){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n),r=this._normalize(r),i=this._normalize(i)),this.array[e+0]=t,this.array[e+1]=n,this.array[e+2]=r,this.array[e+3]=i,this}onUpload(e){return this.onUploadCallback=e,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){let e={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return e.name=this.name,e.usage=this.usage,e.gpuType=this.gpuType,e}dispose(){this.dispatchEvent({type:`dispose`})}_denormalize(e){let t=this._normalizationScale;return t===void 0?rf(e,this.array):Math.max(e/t,-1)}_normalize(e){let t=this._normalizationScale;return t===void 0?af(e,this.array):Math.round(e*t)}},qp=class extends Kp{constructor(e,t,n){super(new Uint16Array(e),t,n)}},Jp=class extends Kp{constructor(e,t,n){super(new Uint32Array(e),t,n)}},Yp=class extends Kp{constructor(e,t,n){super(new Float32Array(e),t,n)}},Xp=new Op,Zp=new Z,Qp=new Z,$p=class{constructor(e=new Z,t=-1){this.isSphere=!0,this.center=e,this.radius=t}set(e,t){return this.center.copy(e),this.radius=t,this}setFromPoints(e,t){let n=this.center;t===void 0?Xp.setFromPoints(e).getCenter(n):n.copy(t);let r=0;for(let t=0,i=e.length;t<i;t++)r=Math.max(r,n.distanceToSquared(e[t]));return this.radius=Math.sqrt(r),this}copy(e){return this.center.copy(e.center),this.radius=e.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(e){return e.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(e){return e.distanceTo(this.center)-this.radius}intersectsSphere(e){let t=this.radius+e.radius;return e.center.distanceToSquared(this.center)<=t*t}intersectsBox(e){return e.intersectsSphere(this)}intersectsPlane(e){return Math.abs(e.distanceToPoint(this.center))<=this.radius}clampPoint(e,t){let n=this.center.distanceToSquared(e);return t.copy(e),n>this.radius*this.radius&&(t.sub(this.center).normalize(),t.multiplyScalar(this.radius).add(this.center)),t}getBoundingBox(e){return this.isEmpty()?(e.makeEmpty(),e):(e.set(this.center,this.center),e.expandByScalar(this.radius),e)}applyMatrix4(e){return this.center.applyMatrix4(e),this.radius*=e.getMaxScaleOnAxis(),this}translate(e){return this.center.add(e),this}expandByPoint(e){if(this.isEmpty())return this.center.copy(e),this.radius=0,this;Zp.subVectors(e,this.center);let t=Zp.lengthSq();if(t>this.radius*this.radius){let e=Math.sqrt(t),n=(e-this.radius)*.5;this.center.addScaledVector(Zp,n/e),this.radius+=n}return this}union(e){return e.isEmpty()?this:this.isEmpty()?(this.copy(e),this):(this.center.equals(e.center)===!0?this.radius=Math.max(this.radius,e.radius):(Qp.subVectors(e.center,this.center).setLength(e.radius),this.expandByPoint(Zp.copy(e.center).add(Qp)),this.expandByPoint(Zp.copy(e.center).sub(Qp))),this)}equals(e){return e.center.equals(this.center)&&e.radius===this.radius}clone(){return new this.constructor().copy(this)}toJSON(){return{radius:this.radius,center:this.center.toArray()}}fromJSON(e){return this.radius=e.radius,this.center.fromArray(e.center),this}},em=0,tm=new jf,nm=new ip,rm=new Z,im=new Op,am=new Op,om=new Z,sm=class e extends jd{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:em++}),this.uuid=Id(),this.name=``,this.type=`BufferGeometry`,this.index=null,this.indirect=null,this.indirectOffset=0,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={},this._transformed=!1}getIndex(){return this.index}setIndex(e){return this.index=Array.isArray(e)?new(xd(e)?Jp:qp)(e,1):e,this}setIndirect(e,t=0){return this.indirect=e,this.indirectOffset=t,this}getIndirect(){return this.indirect}getAttribute(e){return this.attributes[e]}setAttribute(e,t){return this.attributes[e]=t,this}deleteAttribute(e){return delete this.attributes[e],this}hasAttribute(e){return this.attributes[e]!==void 0}addGroup(e,t,n=0){this.groups.push({start:e,count:t,materialIndex:n})}clearGroups(){this.groups=[]}setDrawRange(e,t){this.drawRange.start=e,this.drawRange.count=t}applyMatrix4(e){let t=this.attributes.position;t!==void 0&&(t.applyMatrix4(e),t.needsUpdate=!0);let n=this.attributes.normal;if(n!==void 0){let t=new uf().getNormalMatrix(e);n.applyNormalMatrix(t),n.needsUpdate=!0}let r=this.attributes.tangent;return r!==void 0&&(r.transformDirection(e),r.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this._transformed=!0,this}applyQuaternion(e){return tm.makeRotationFromQuaternion(e),this.applyMatrix4(tm),this}rotateX(e){return tm.makeRotationX(e),this.applyMatrix4(tm),this}rotateY(e){return tm.makeRotationY(e),this.applyMatrix4(tm),this}rotateZ(e){return tm.makeRotationZ(e),this.applyMatrix4(tm),this}translate(e,t,n){return tm.makeTranslation(e,t,n),this.applyMatrix4(tm),this}scale(e,t,n){return tm.makeScale(e,t,n),this.applyMatrix4(tm),this}lookAt(e){return nm.lookAt(e),nm.updateMatrix(),this.applyMatrix4(nm.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(rm).negate(),this.translate(rm.x,rm.y,rm.z),this}setFromPoints(e){let t=this.getAttribute(`position`);if(t===void 0){let t=[];for(let n=0,r=e.length;n<r;n++){let r=e[n];t.push(r.x,r.y,r.z||0)}this.setAttribute(`position`,new Yp(t,3))}else{let n=Math.min(e.length,t.count);for(let r=0;r<n;r++){let n=e[r];t.setXYZ(r,n.x,n.y,n.z||0)}e.length>t.count&&J(`BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry.`),t.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new Op);let e=this.attributes.position,t=this.morphAttributes.position;if(e&&e.isGLBufferAttribute)Y(`BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.`,this),this.boundingBox.set(new Z(-1/0,-1/0,-1/0),new Z(1/0,1/0,1/0));else{if(e!==void 0){if(this.boundingBox.setFromBufferAttribute(e),t)for(let e=0,n=t.length;e<n;e++){let n=t[e];im.setFromBufferAttribute(n),this.morphTargetsRelative?(om.addVectors(this.boundingBox.min,im.min),this.boundingBox.expandByPoint(om),om.addVectors(this.boundingBox.max,im.max),this.boundingBox.expandByPoint(om)):(this.boundingBox.expandByPoint(im.min),this.boundingBox.expandByPoint(im.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&Y(`BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.`,this)}}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new $p);let e=this.attributes.position,t=this.morphAttributes.position;if(e&&e.isGLBufferAttribute)Y(`BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.`,this),this.boundingSphere.set(new Z,1/0);else if(e){let n=this.boundingSphere.center;if(im.setFromBufferAttribute(e),t)for(let e=0,n=t.length;e<n;e++){let n=t[e];am.setFromBufferAttribute(n),this.morphTargetsRelative?(om.addVectors(im.min,am.min),im.expandByPoint(om),om.addVectors(im.max,am.max),im.expandByPoint(om)):(im.expandByPoint(am.min),im.expandByPoint(am.max))}im.getCenter(n);let r=0;for(let t=0,i=e.count;t<i;t++)om.fromBufferAttribute(e,t),r=Math.max(r,n.distanceToSquared(om));if(t)for(let i=0,a=t.length;i<a;i++){let a=t[i],o=this.morphTargetsRelative;for(let t=0,i=a.count;t<i;t++)om.fromBufferAttribute(a,t),o&&(rm.fromBufferAttribute(e,t),om.add(rm)),r=Math.max(r,n.distanceToSquared(om))}this.boundingSphere.radius=Math.sqrt(r),isNaN(this.boundingSphere.radius)&&Y(`BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.`,this)}}computeTangents(){let e=this.index,t=this.attributes;if(e===null||t.position===void 0||t.normal===void 0||t.uv===void 0){Y(`BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)`);return}let n=t.position,r=t.normal,i=t.uv,a=this.getAttribute(`tangent`);(a===void 0||a.count!==n.count)&&(a=new Kp(new Float32Array(4*n.count),4),this.setAttribute(`tangent`,a));let o=[],s=[],c=new Uint8Array(n.count);for(let e=0;e<n.count;e++)o[e]=new Z,s[e]=new Z;let l=new Z,u=new Z,d=new Z,f=new X,p=new X,m=new X,h=new Z,g=new Z;function _(e,t,r){c[e]=c[t]=c[r]=1,l.fromBufferAttribute(n,e),u.fromBufferAttribute(n,t),d.fromBufferAttribute(n,r),f.fromBufferAttribute(i,e),p.fromBufferAttribute(i,t),m.fromBufferAttribute(i,r),u.sub(l),d.sub(l),p.sub(f),m.sub(f);let a=1/(p.x*m.y-m.x*p.y);isFinite(a)&&(h.copy(u).multiplyScalar(m.y).addScaledVector(d,-p.y).multiplyScalar(a),g.copy(d).multiplyScalar(p.x).addScaledVector(u,-m.x).multiplyScalar(a),o[e].add(h),o[t].add(h),o[r].add(h),s[e].add(g),s[t].add(g),s[r].add(g))}let v=this.groups;v.length===0&&(v=[{start:0,count:e.count}]);for(let t=0,n=v.length;t<n;++t){let n=v[t],r=n.start,i=n.count;for(let t=r,n=r+i;t<n;t+=3)_(e.getX(t+0),e.getX(t+1),e.getX(t+2))}let y=new Z,b=new Z,x=new Z,S=new Z;function C(e){x.fromBufferAttribute(r,e),S.copy(x);let t=o[e];y.copy(t),y.sub(x.multiplyScalar(x.dot(t))).normalize(),b.crossVectors(S,t);let n=b.dot(s[e])<0?-1:1;a.setXYZW(e,y.x,y.y,y.z,n)}for(let e=0,t=n.count;e<t;++e)c[e]&&C(e);this._transformed=!0}computeVertexNormals(){let e=this.index,t=this.getAttribute(`position`);if(t!==void 0){let n=this.getAttribute(`normal`);if(n===void 0||n.count!==t.count)n=new Kp(new Float32Array(t.count*3),3),this.setAttribute(`normal`,n);else for(let e=0,t=n.count;e<t;e++)n.setXYZ(e,0,0,0);let r=new Z,i=new Z,a=new Z,o=new Z,s=new Z,c=new Z,l=new Z,u=new Z;if(e)for(let d=0,f=e.count;d<f;d+=3){let f=e.getX(d+0),p=e.getX(d+1),m=e.getX(d+2);r.fromBufferAttribute(t,f),i.fromBufferAttribute(t,p),a.fromBufferAttribute(t,m),l.subVectors(a,i),u.subVectors(r,i),l.cross(u),o.fromBufferAttribute(n,f),s.fromBufferAttribute(n,p),c.fromBufferAttribute(n,m),o.add(l),s.add(l),c.add(l),n.setXYZ(f,o.x,o.y,o.z),n.setXYZ(p,s.x,s.y,s.z),n.setXYZ(m,c.x,c.y,c.z)}else for(let e=0,o=t.count;e<o;e+=3)r.fromBufferAttribute(t,e+0),i.fromBufferAttribute(t,e+1),a.fromBufferAttribute(t,e+2),l.subVectors(a,i),u.subVectors(r,i),l.cross(u),n.setXYZ(e+0,l.x,l.y,l.z),n.setXYZ(e+1,l.x,l.y,l.z),n.setXYZ(e+2,l.x,l.y,l.z);this.normalizeNormals(),n.needsUpdate=!0}}normalizeNormals(){let e=this.attributes.normal;for(let t=0,n=e.count;t<n;t++)om.fromBufferAttribute(e,t),om.normalize(),e.setXYZ(t,om.x,om.y,om.z)}toNonIndexed(){function t(e,t){let n=e.array,r=e.itemSize,i=e.normalized,a=new n.constructor(t.length*r),o=0,s=0;for(let i=0,c=t.length;i<c;i++){o=e.isInterleavedBufferAttribute?t[i]*e.data.stride+e.offset:t[i]*r;for(let e=0;e<r;e++)a[s++]=n[o++]}return new Kp(a,r,i)}if(this.index===null)return J(`BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed.`),this;let n=new e,r=this.index.array,i=this.attributes;for(let e in i){let a=i[e],o=t(a,r);n.setAttribute(e,o)}let a=this.morphAttributes;for(let e in a){let i=[],o=a[e];for(let e=0,n=o.length;e<n;e++){let n=o[e],a=t(n,r);i.push(a)}n.morphAttributes[e]=i}n.morphTargetsRelative=this.morphTargetsRelative;let o=this.groups;for(let e=0,t=o.length;e<t;e++){let t=o[e];n.addGroup(t.start,t.count,t.materialIndex)}return n}toJSON(){let e={metadata:{version:4.7,type:`BufferGeometry`,generator:`BufferGeometry.toJSON`}};if(e.uuid=this.uuid,e.type=this.parameters!==void 0&&this._transformed===!0?`BufferGeometry`:this.type,e.name=this.name,Object.keys(this.userData).length>0&&(e.userData=this.userData),this.parameters!==void 0&&this._transformed!==!0){let t=this.parameters;for(let n in t)t[n]!==void 0&&(e[n]=t[n]);return e}e.data={attributes:{}};let t=this.index;t!==null&&(e.data.index={type:t.array.constructor.name,array:Array.prototype.slice.call(t.array)});let n=this.attributes;for(let t in n){let r=n[t];e.data.attributes[t]=r.toJSON(e.data)}let r={},i=!1;for(let t in this.morphAttributes){let n=this.morphAttributes[t],a=[];for(let t=0,r=n.length;t<r;t++){let r=n[t];a.push(r.toJSON(e.data))}a.length>0&&(r[t]=a,i=!0)}i&&(e.data.morphAttributes=r,e.data.morphTargetsRelative=this.morphTargetsRelative);let a=this.groups;a.length>0&&(e.data.groups=JSON.parse(JSON.stringify(a)));let o=this.boundingSphere;return o!==null&&(e.data.boundingSphere=o.toJSON()),e}clone(){return new this.constructor().copy(this)}copy(e){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;let t={};this.name=e.name;let n=e.index;n!==null&&this.setIndex(n.clone());let r=e.attributes;for(let e in r){let n=r[e];this.setAttribute(e,n.clone(t))}let i=e.morphAttributes;for(let e in i){let n=[],r=i[e];for(let e=0,i=r.length;e<i;e++)n.push(r[e].clone(t));this.morphAttributes[e]=n}this.morphTargetsRelative=e.morphTargetsRelative;let a=e.groups;for(let e=0,t=a.length;e<t;e++){let t=a[e];this.addGroup(t.start,t.count,t.materialIndex)}let o=e.boundingBox;o!==null&&(this.boundingBox=o.clone());let s=e.boundingSphere;return s!==null&&(this.boundingSphere=s.clone()),this.drawRange.start=e.drawRange.start,this.drawRange.count=e.drawRange.count,this.userData=e.userData,this._transformed=e._transformed,this}dispose(){this.dispatchEvent({type:`dispose`})}},cm=new Z,lm=new Z,um=new uf,dm=class{constructor(e=new Z(1,0,0),t=0){this.isPlane=!0,this.normal=e,this.constant=t}set(e,t){return this.normal.copy(e),this.constant=t,this}setComponents(e,t,n,r){return this.normal.set(e,t,n),this.constant=r,this}setFromNormalAndCoplanarPoint(e,t){return this.normal.copy(e),this.constant=-t.dot(this.normal),this}setFromCoplanarPoints(e,t,n){let r=cm.subVectors(n,t).cross(lm.subVectors(e,t)).normalize();return this.setFromNormalAndCoplanarPoint(r,e),this}copy(e){return this.normal.copy(e.normal),this.constant=e.constant,this}normalize(){let e=1/this.normal.length();return this.normal.multiplyScalar(e),this.constant*=e,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(e){return this.normal.dot(e)+this.constant}distanceToSphere(e){return this.distanceToPoint(e.center)-e.radius}projectPoint(e,t){return t.copy(e).addScaledVector(this.normal,-this.distanceToPoint(e))}intersectLine(e,t,n=!0){let r=e.delta(cm),i=this.normal.dot(r);if(i===0)return this.distanceToPoint(e.start)===0?t.copy(e.start):null;let a=-(e.start.dot(this.normal)+this.constant)/i;return n===!0&&(a<0||a>1)?null:t.copy(e.start).addScaledVector(r,a)}intersectsLine(e){let t=this.distanceToPoint(e.start),n=this.distanceToPoint(e.end);return t<0&&n>0||n<0&&t>0}intersectsBox(e){return e.intersectsPlane(this)}intersectsSphere(e){return e.intersectsPlane(this)}coplanarPoint(e){return e.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(e,t){let n=t||um.getNormalMatrix(e),r=this.coplanarPoint(cm).applyMatrix4(e),i=this.normal.applyMatrix3(n).normalize();return this.constant=-r.dot(i),this}translate(e){return this.constant-=e.dot(this.normal),this}equals(e){return e.normal.equals(this.normal)&&e.constant===this.constant}clone(){return new this.constructor().copy(this)}toJSON(){return{normal:this.normal.toArray(),constant:this.constant}}fromJSON(e){return this.normal.fromArray(e.normal),this.constant=e.constant,this}},fm=0,pm=class extends jd{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:fm++}),this.uuid=Id(),this.name=``,this.type=`Material`,this.blending=1,this.side=0,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=204,this.blendDst=205,this.blendEquation=100,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new Q(0,0,0),this.blendAlpha=0,this.depthFunc=3,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=519,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=vd,this.stencilZFail=vd,this.stencilZPass=vd,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(e){this._alphaTest>0!=e>0&&this.version++,this._alphaTest=e}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(e){if(e!==void 0)for(let t in e){let n=e[t];if(n===void 0){J(`Material: parameter '${t}' has value of undefined.`);continue}let r=this[t];r===void 0?J(`Material: '${t}' is not a property of THREE.${this.type}.`):r&&r.isColor?r.set(n):r&&r.isVector2&&n&&n.isVector2||r&&r.isEuler&&n&&n.isEuler||r&&r.isVector3&&n&&n.isVector3?r.copy(n):this[t]=n}}toJSON(e){let t=e===void 0||typeof e==`string`;t&&(e={textures:{},images:{}});let n={metadata:{version:4.7,type:`Material`,generator:`Material.toJSON`}};n.uuid=this.uuid,n.type=this.type,n.blending=this.blending,n.side=this.side,n.shadowSide=this.shadowSide,n.vertexColors=this.vertexColors,n.opacity=this.opacity,n.transparent=this.transparent,n.blendSrc=this.blendSrc,n.blendDst=this.blendDst,n.blendEquation=this.blendEquation,n.blendSrcAlpha=this.blendSrcAlpha,n.blendDstAlpha=this.blendDstAlpha,n.blendEquationAlpha=this.blendEquationAlpha,n.blendColor=this.blendColor.getHex(),n.blendAlpha=this.blendAlpha,n.depthFunc=this.depthFunc,n.depthTest=this.depthTest,n.depthWrite=this.depthWrite,n.colorWrite=this.colorWrite,n.clipIntersection=this.clipIntersection,n.clipShadows=this.clipShadows,n.stencilWriteMask=this.stencilWriteMask,n.stencilFunc=this.stencilFunc,n.stencilRef=this.stencilRef,n.stencilFuncMask=this.stencilFuncMask,n.stencilFail=this.stencilFail,n.stencilZFail=this.stencilZFail,n.stencilZPass=this.stencilZPass,n.stencilWrite=this.stencilWrite,n.polygonOffset=this.polygonOffset,n.polygonOffsetFactor=this.polygonOffsetFactor,n.polygonOffsetUnits=this.polygonOffsetUnits,n.dithering=this.dithering,n.alphaTest=this.alphaTest,n.alphaHash=this.alphaHash,n.alphaToCoverage=this.alphaToCoverage,n.premultipliedAlpha=this.premultipliedAlpha,n.forceSinglePass=this.forceSinglePass,n.allowOverride=this.allowOverride,n.visible=this.visible,n.toneMapped=this.toneMapped,n.name=this.name,this.color&&this.color.isColor&&(n.color=this.color.getHex()),this.roughness!==void 0&&(n.roughness=this.roughness),this.metalness!==void 0&&(n.metalness=this.metalness),this.sheen!==void 0&&(n.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(n.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(n.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(n.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&(n.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(n.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(n.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(n.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(n.shininess=this.shininess),this.clearcoat!==void 0&&(n.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(n.clearcoatRoughness=this.clearcoatRoughness),this.diffuseRoughness!==void 0&&(n.diffuseRoughness=this.diffuseRoughness),this.diffuseRoughnessMap&&this.diffuseRoughnessMap.isTexture&&(n.diffuseRoughnessMap=this.diffuseRoughnessMap.toJSON(e).uuid),this.clearcoatMap&&this.clearcoatMap.isTexture&&(n.clearcoatMap=this.clearcoatMap.toJSON(e).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(n.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(e).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(n.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(e).uuid,n.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.sheenColorMap&&this.sheenColorMap.isTexture&&(n.sheenColorMap=this.sheenColorMap.toJSON(e).uuid),this.sheenRoughnessMap&&this.sheenRoughnessMap.isTexture&&(n.sheenRoughnessMap=this.sheenRoughnessMap.toJSON(e).uuid),this.dispersion!==void 0&&(n.dispersion=this.dispersion),this.retroreflectivity!==void 0&&(n.retroreflectivity=this.retroreflectivity),this.iridescence!==void 0&&(n.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(n.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessMinimum!==void 0&&(n.iridescenceThicknessMinimum=this.iridescenceThicknessMinimum),this.iridescenceThicknessMaximum!==void 0&&(n.iridescenceThicknessMaximum=this.iridescenceThicknessMaximum),this.iridescenceMap&&this.iridescenceMap.isTexture&&(n.iridescenceMap=this.iridescenceMap.toJSON(e).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(n.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(e).uuid),this.anisotropy!==void 0&&(n.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(n.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(n.anisotropyMap=this.anisotropyMap.toJSON(e).uuid),this.map&&this.map.isTexture&&(n.map=this.map.toJSON(e).uuid),this.matcap&&this.matcap.isTexture&&(n.matcap=this.matcap.toJSON(e).uuid),this.alphaMap&&this.alphaMap.isTexture&&(n.alphaMap=this.alphaMap.toJSON(e).uuid),this.lightMap&&this.lightMap.isTexture&&(n.lightMap=this.lightMap.toJSON(e).uuid,n.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(n.aoMap=this.aoMap.toJSON(e).uuid,n.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(n.bumpMap=this.bumpMap.toJSON(e).uuid,n.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(n.normalMap=this.normalMap.toJSON(e).uuid,n.normalMapType=this.normalMapType,n.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(n.displacementMap=this.displacementMap.toJSON(e).uuid,n.displacementScale=this.displacementScale,n.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(n.roughnessMap=this.roughnessMap.toJSON(e).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(n.metalnessMap=this.metalnessMap.toJSON(e).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(n.emissiveMap=this.emissiveMap.toJSON(e).uuid),this.specularMap&&this.specularMap.isTexture&&(n.specularMap=this.specularMap.toJSON(e).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(n.specularIntensityMap=this.specularIntensityMap.toJSON(e).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(n.specularColorMap=this.specularColorMap.toJSON(e).uuid),this.envMap&&this.envMap.isTexture&&(n.envMap=this.envMap.toJSON(e).uuid,this.combine!==void 0&&(n.combine=this.combine)),this.envMapRotation!==void 0&&(n.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(n.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(n.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(n.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(n.gradientMap=this.gradientMap.toJSON(e).uuid),this.transmission!==void 0&&(n.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(n.transmissionMap=this.transmissionMap.toJSON(e).uuid),this.thickness!==void 0&&(n.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(n.thicknessMap=this.thicknessMap.toJSON(e).uuid),this.attenuationDistance!==void 0&&(n.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(n.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(n.size=this.size),this.sizeAttenuation!==void 0&&(n.sizeAttenuation=this.sizeAttenuation),Array.isArray(this.clippingPlanes)&&this.clippingPlanes.length>0&&(n.clippingPlanes=this.clippingPlanes.map(e=>e.toJSON())),this.rotation!==void 0&&(n.rotation=this.rotation),this.depthPacking!==void 0&&(n.depthPacking=this.depthPacking),this.linewidth!==void 0&&(n.linewidth=this.linewidth),this.linecap!==void 0&&(n.linecap=this.linecap),this.linejoin!==void 0&&(n.linejoin=this.linejoin),this.dashSize!==void 0&&(n.dashSize=this.dashSize),this.gapSize!==void 0&&(n.gapSize=this.gapSize),this.scale!==void 0&&(n.scale=this.scale),this.wireframe!==void 0&&(n.wireframe=this.wireframe),this.wireframeLinewidth!==void 0&&(n.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!==void 0&&(n.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!==void 0&&(n.wireframeLinejoin=this.wireframeLinejoin),this.flatShading!==void 0&&(n.flatShading=this.flatShading),this.fog!==void 0&&(n.fog=this.fog),Object.keys(this.userData).length>0&&(n.userData=this.userData);function r(e){let t=[];for(let n in e){let r=e[n];delete r.metadata,t.push(r)}return t}if(t){let t=r(e.textures),i=r(e.images);t.length>0&&(n.textures=t),i.length>0&&(n.images=i)}return n}fromJSON(e,t){if(e.uuid!==void 0&&(this.uuid=e.uuid),e.name!==void 0&&(this.name=e.name),e.color!==void 0&&this.color!==void 0&&this.color.setHex(e.color),e.roughness!==void 0&&(this.roughness=e.roughness),e.metalness!==void 0&&(this.metalness=e.metalness),e.sheen!==void 0&&(this.sheen=e.sheen),e.sheenColor!==void 0&&(this.sheenColor=new Q().setHex(e.sheenColor)),e.sheenRoughness!==void 0&&(this.sheenRoughness=e.sheenRoughness),e.emissive!==void 0&&this.emissive!==void 0&&this.emissive.setHex(e.emissive),e.specular!==void 0&&this.specular!==void 0&&this.specular.setHex(e.specular),e.specularIntensity!==void 0&&(this.specularIntensity=e.specularIntensity),e.specularColor!==void 0&&this.specularColor!==void 0&&this.specularColor.setHex(e.specularColor),e.shininess!==void 0&&(this.shininess=e.shininess),e.clearcoat!==void 0&&(this.clearcoat=e.clearcoat),e.clearcoatRoughness!==void 0&&(this.clearcoatRoughness=e.clearcoatRoughness),e.diffuseRoughness!==void 0&&(this.diffuseRoughness=e.diffuseRoughness),e.dispersion!==void 0&&(this.dispersion=e.dispersion),e.retroreflectivity!==void 0&&(this.retroreflectivity=e.retroreflectivity),e.iridescence!==void 0&&(this.iridescence=e.iridescence),e.iridescenceIOR!==void 0&&(this.iridescenceIOR=e.iridescenceIOR),e.iridescenceThicknessMinimum!==void 0&&(this.iridescenceThicknessMinimum=e.iridescenceThicknessMinimum),e.iridescenceThicknessMaximum!==void 0&&(this.iridescenceThicknessMaximum=e.iridescenceThicknessMaximum),e.iridescenceThicknessRange!==void 0&&(this.iridescenceThicknessMinimum=e.iridescenceThicknessRange[0],this.iridescenceThicknessMaximum=e.iridescenceThicknessRange[1]),e.transmission!==void 0&&(this.transmission=e.transmission),e.thickness!==void 0&&(this.thickness=e.thickness),e.attenuationDistance!==void 0&&(this.attenuationDistance=e.attenuationDistance),e.attenuationColor!==void 0&&this.attenuationColor!==void 0&&this.attenuationColor.setHex(e.attenuationColor),e.anisotropy!==void 0&&(this.anisotropy=e.anisotropy),e.anisotropyRotation!==void 0&&(this.anisotropyRotation=e.anisotropyRotation),e.fog!==void 0&&(this.fog=e.fog),e.flatShading!==void 0&&(this.flatShading=e.flatShading),e.blending!==void 0&&(this.blending=e.blending),e.combine!==void 0&&(this.combine=e.combine),e.side!==void 0&&(this.side=e.side),e.shadowSide!==void 0&&(this.shadowSide=e.shadowSide),e.opacity!==void 0&&(this.opacity=e.opacity),e.transparent!==void 0&&(this.transparent=e.transparent),e.alphaTest!==void 0&&(this.alphaTest=e.alphaTest),e.alphaHash!==void 0&&(this.alphaHash=e.alphaHash),e.depthFunc!==void 0&&(this.depthFunc=e.depthFunc),e.depthTest!==void 0&&(this.depthTest=e.depthTest),e.depthWrite!==void 0&&(this.depthWrite=e.depthWrite),e.colorWrite!==void 0&&(this.colorWrite=e.colorWrite),e.clippingPlanes!==void 0&&(this.clippingPlanes=e.clippingPlanes.map(e=>new dm().fromJSON(e))),e.clipIntersection!==void 0&&(this.clipIntersection=e.clipIntersection),e.clipShadows!==void 0&&(this.clipShadows=e.clipShadows),e.depthPacking!==void 0&&(this.depthPacking=e.depthPacking),e.blendSrc!==void 0&&(this.blendSrc=e.blendSrc),e.blendDst!==void 0&&(this.blendDst=e.blendDst),e.blendEquation!==void 0&&(this.blendEquation=e.blendEquation),e.blendSrcAlpha!==void 0&&(this.blendSrcAlpha=e.blendSrcAlpha),e.blendDstAlpha!==void 0&&(this.blendDstAlpha=e.blendDstAlpha),e.blendEquationAlpha!==void 0&&(this.blendEquationAlpha=e.blendEquationAlpha),e.blendColor!==void 0&&this.blendColor!==void 0&&this.blendColor.setHex(e.blendColor),e.blendAlpha!==void 0&&(this.blendAlpha=e.blendAlpha),e.stencilWriteMask!==void 0&&(this.stencilWriteMask=e.stencilWriteMask),e.stencilFunc!==void 0&&(this.stencilFunc=e.stencilFunc),e.stencilRef!==void 0&&(this.stencilRef=e.stencilRef),e.stencilFuncMask!==void 0&&(this.stencilFuncMask=e.stencilFuncMask),e.stencilFail!==void 0&&(this.stencilFail=e.stencilFail),e.stencilZFail!==void 0&&(this.stencilZFail=e.stencilZFail),e.stencilZPass!==void 0&&(this.stencilZPass=e.stencilZPass),e.stencilWrite!==void 0&&(this.stencilWrite=e.stencilWrite),e.wireframe!==void 0&&(this.wireframe=e.wireframe),e.wireframeLinewidth!==void 0&&(this.wireframeLinewidth=e.wireframeLinewidth),e.wireframeLinecap!==void 0&&(this.wireframeLinecap=e.wireframeLinecap),e.wireframeLinejoin!==void 0&&(this.wireframeLinejoin=e.wireframeLinejoin),e.rotation!==void 0&&(this.rotation=e.rotation),e.linewidth!==void 0&&(this.linewidth=e.linewidth),e.linecap!==void 0&&(this.linecap=e.linecap),e.linejoin!==void 0&&(this.linejoin=e.linejoin),e.dashSize!==void 0&&(this.dashSize=e.dashSize),e.gapSize!==void 0&&(this.gapSize=e.gapSize),e.scale!==void 0&&(this.scale=e.scale),e.polygonOffset!==void 0&&(this.polygonOffset=e.polygonOffset),e.polygonOffsetFactor!==void 0&&(this.polygonOffsetFactor=e.polygonOffsetFactor),e.polygonOffsetUnits!==void 0&&(this.polygonOffsetUnits=e.polygonOffsetUnits),e.dithering!==void 0&&(this.dithering=e.dithering),e.alphaToCoverage!==void 0&&(this.alphaToCoverage=e.alphaToCoverage),e.premultipliedAlpha!==void 0&&(this.premultipliedAlpha=e.premultipliedAlpha),e.forceSinglePass!==void 0&&(this.forceSinglePass=e.forceSinglePass),e.allowOverride!==void 0&&(this.allowOverride=e.allowOverride),e.visible!==void 0&&(this.visible=e.visible),e.toneMapped!==void 0&&(this.toneMapped=e.toneMapped),e.userData!==void 0&&(this.userData=e.userData),e.vertexColors!==void 0&&(this.vertexColors=typeof e.vertexColors==`number`?e.vertexColors>0:e.vertexColors),e.size!==void 0&&(this.size=e.size),e.sizeAttenuation!==void 0&&(this.sizeAttenuation=e.sizeAttenuation),e.map!==void 0&&(this.map=t[e.map]||null),e.matcap!==void 0&&(this.matcap=t[e.matcap]||null),e.alphaMap!==void 0&&(this.alphaMap=t[e.alphaMap]||null),e.bumpMap!==void 0&&(this.bumpMap=t[e.bumpMap]||null),e.bumpScale!==void 0&&(this.bumpScale=e.bumpScale),e.normalMap!==void 0&&(this.normalMap=t[e.normalMap]||null),e.normalMapType!==void 0&&(this.normalMapType=e.normalMapType),e.normalScale!==void 0){let t=e.normalScale;Array.isArray(t)===!1&&(t=[t,t]),this.normalScale=new X().fromArray(t)}return e.displacementMap!==void 0&&(this.displacementMap=t[e.displacementMap]||null),e.displacementScale!==void 0&&(this.displacementScale=e.displacementScale),e.displacementBias!==void 0&&(this.displacementBias=e.displacementBias),e.roughnessMap!==void 0&&(this.roughnessMap=t[e.roughnessMap]||null),e.metalnessMap!==void 0&&(this.metalnessMap=t[e.metalnessMap]||null),e.emissiveMap!==void 0&&(this.emissiveMap=t[e.emissiveMap]||null),e.emissiveIntensity!==void 0&&(this.emissiveIntensity=e.emissiveIntensity),e.specularMap!==void 0&&(this.specularMap=t[e.specularMap]||null),e.specularIntensityMap!==void 0&&(this.specularIntensityMap=t[e.specularIntensityMap]||null),e.specularColorMap!==void 0&&(this.specularColorMap=t[e.specularColorMap]||null),e.envMap!==void 0&&(this.envMap=t[e.envMap]||null),e.envMapRotation!==void 0&&this.envMapRotation.fromArray(e.envMapRotation),e.envMapIntensity!==void 0&&(this.envMapIntensity=e.envMapIntensity),e.reflectivity!==void 0&&(this.reflectivity=e.reflectivity),e.refractionRatio!==void 0&&(this.refractionRatio=e.refractionRatio),e.lightMap!==void 0&&(this.lightMap=t[e.lightMap]||null),e.lightMapIntensity!==void 0&&(this.lightMapIntensity=e.lightMapIntensity),e.aoMap!==void 0&&(this.aoMap=t[e.aoMap]||null),e.aoMapIntensity!==void 0&&(this.aoMapIntensity=e.aoMapIntensity),e.gradientMap!==void 0&&(this.gradientMap=t[e.gradientMap]||null),e.clearcoatMap!==void 0&&(this.clearcoatMap=t[e.clearcoatMap]||null),e.clearcoatRoughnessMap!==void 0&&(this.clearcoatRoughnessMap=t[e.clearcoatRoughnessMap]||null),e.clearcoatNormalMap!==void 0&&(this.clearcoatNormalMap=t[e.clearcoatNormalMap]||null),e.clearcoatNormalScale!==void 0&&(this.clearcoatNormalScale=new X().fromArray(e.clearcoatNormalScale)),e.diffuseRoughnessMap!==void 0&&(this.diffuseRoughnessMap=t[e.diffuseRoughnessMap]||null),e.iridescenceMap!==void 0&&(this.iridescenceMap=t[e.iridescenceMap]||null),e.iridescenceThicknessMap!==void 0&&(this.iridescenceThicknessMap=t[e.iridescenceThicknessMap]||null),e.transmissionMap!==void 0&&(this.transmissionMap=t[e.transmissionMap]||null),e.thicknessMap!==void 0&&(this.thicknessMap=t[e.thicknessMap]||null),e.anisotropyMap!==void 0&&(this.anisotropyMap=t[e.anisotropyMap]||null),e.sheenColorMap!==void 0&&(this.sheenColorMap=t[e.sheenColorMap]||null),e.sheenRoughnessMap!==void 0&&(this.sheenRoughnessMap=t[e.sheenRoughnessMap]||null),this}clone(){return new this.constructor().copy(this)}copy(e){this.name=e.name,this.blending=e.blending,this.side=e.side,this.vertexColors=e.vertexColors,this.opacity=e.opacity,this.transparent=e.transparent,this.blendSrc=e.blendSrc,this.blendDst=e.blendDst,this.blendEquation=e.blendEquation,this.blendSrcAlpha=e.blendSrcAlpha,this.blendDstAlpha=e.blendDstAlpha,this.blendEquationAlpha=e.blendEquationAlpha,this.blendColor.copy(e.blendColor),this.blendAlpha=e.blendAlpha,this.depthFunc=e.depthFunc,this.depthTest=e.depthTest,this.depthWrite=e.depthWrite,this.stencilWriteMask=e.stencilWriteMask,this.stencilFunc=e.stencilFunc,this.stencilRef=e.stencilRef,this.stencilFuncMask=e.stencilFuncMask,this.stencilFail=e.stencilFail,this.stencilZFail=e.stencilZFail,this.stencilZPass=e.stencilZPass,this.stencilWrite=e.stencilWrite;let t=e.clippingPlanes,n=null;if(t!==null){let e=t.length;n=Array(e);for(let r=0;r!==e;++r)n[r]=t[r].clone()}return this.clippingPlanes=n,this.clipIntersection=e.clipIntersection,this.clipShadows=e.clipShadows,this.shadowSide=e.shadowSide,this.colorWrite=e.colorWrite,this.precision=e.precision,this.polygonOffset=e.polygonOffset,this.polygonOffsetFactor=e.polygonOffsetFactor,this.polygonOffsetUnits=e.polygonOffsetUnits,this.dithering=e.dithering,this.alphaTest=e.alphaTest,this.alphaHash=e.alphaHash,this.alphaToCoverage=e.alphaToCoverage,this.premultipliedAlpha=e.premultipliedAlpha,this.forceSinglePass=e.forceSinglePass,this.allowOverride=e.allowOverride,this.visible=e.visible,this.toneMapped=e.toneMapped,this.userData=JSON.parse(JSON.stringify(e.userData)),this}dispose(){this.dispatchEvent({type:`dispose`})}set needsUpdate(e){e===!0&&this.version++}},mm=new Z,hm=new Z,gm=new Z,_m=new Z,vm=class{constructor(e=new Z,t=new Z(0,0,-1)){this.origin=e,this.direction=t}set(e,t){return this.origin.copy(e),this.direction.copy(t),this}copy(e){return this.origin.copy(e.origin),this.direction.copy(e.direction),this}at(e,t){return t.copy(this.origin).addScaledVector(this.direction,e)}lookAt(e){return this.direction.copy(e).sub(this.origin).normalize(),this}recast(e){return this.origin.copy(this.at(e,mm)),this}closestPointToPoint(e,t){t.subVectors(e,this.origin);let n=t.dot(this.direction);return n<0?t.copy(this.origin):t.copy(this.origin).addScaledVector(this.direction,n)}distanceToPoint(e){return Math.sqrt(this.distanceSqToPoint(e))}distanceSqToPoint(e){let t=mm.subVectors(e,this.origin).dot(this.direction);return t<0?this.origin.distanceToSquared(e):(mm.copy(this.origin).addScaledVector(this.direction,t),mm.distanceToSquared(e))}distanceSqToSegment(e,t,n,r){hm.copy(e).add(t).multiplyScalar(.5),gm.copy(t).sub(e).normalize(),_m.copy(this.origin).sub(hm);let i=e.distanceTo(t)*.5,a=-this.direction.dot(gm),o=_m.dot(this.direction),s=-_m.dot(gm),c=_m.lengthSq(),l=Math.abs(1-a*a),u,d,f,p;if(l>0){if(u=a*s-o,d=a*o-s,p=i*l,u>=0){if(d>=-p){if(d<=p){let e=1/l;u*=e,d*=e,f=u*(u+a*d+2*o)+d*(a*u+d+2*s)+c}else d=i,u=Math.max(0,-(a*d+o)),f=-u*u+d*(d+2*s)+c}else d=-i,u=Math.max(0,-(a*d+o)),f=-u*u+d*(d+2*s)+c}else d<=-p?(u=Math.max(0,-(-a*i+o)),d=u>0?-i:Math.min(Math.max(-i,-s),i),f=-u*u+d*(d+2*s)+c):d<=p?(u=0,d=Math.min(Math.max(-i,-s),i),f=d*(d+2*s)+c):(u=Math.max(0,-(a*i+o)),d=u>0?i:Math.min(Math.max(-i,-s),i),f=-u*u+d*(d+2*s)+c)}else d=a>0?-i:i,u=Math.max(0,-(a*d+o)),f=-u*u+d*(d+2*s)+c;return n&&n.copy(this.origin).addScaledVector(this.direction,u),r&&r.copy(hm).addScaledVector(gm,d),f}intersectSphere(e,t){if(e.radius<0)return null;mm.subVectors(e.center,this.origin);let n=mm.dot(this.direction),r=mm.dot(mm)-n*n,i=e.radius*e.radius;if(r>i)return null;let a=Math.sqrt(i-r),o=n-a,s=n+a;return s<0?null:o<0?this.at(s,t):this.at(o,t)}intersectsSphere(e){return e.radius<0?!1:this.distanceSqToPoint(e.center)<=e.radius*e.radius}distanceToPlane(e){let t=e.normal.dot(this.direction);if(t===0)return e.distanceToPoint(this.origin)===0?0:null;let n=-(this.origin.dot(e.normal)+e.constant)/t;return n>=0?n:null}intersectPlane(e,t){let n=this.distanceToPlane(e);return n===null?null:this.at(n,t)}intersectsPlane(e){let t=e.distanceToPoint(this.origin);return t===0||e.normal.dot(this.direction)*t<0}intersectBox(e,t){let n,r,i,a,o,s,c=1/this.direction.x,l=1/this.direction.y,u=1/this.direction.z,d=this.origin;return c>=0?(n=(e.min.x-d.x)*c,r=(e.max.x-d.x)*c):(n=(e.max.x-d.x)*c,r=(e.min.x-d.x)*c),l>=0?(i=(e.min.y-d.y)*l,a=(e.max.y-d.y)*l):(i=(e.max.y-d.y)*l,a=(e.min.y-d.y)*l),n>a||i>r||((i>n||isNaN(n))&&(n=i),(a<r||isNaN(r))&&(r=a),u>=0?(o=(e.min.z-d.z)*u,s=(e.max.z-d.z)*u):(o=(e.max.z-d.z)*u,s=(e.min.z-d.z)*u),n>s||o>r)||((o>n||n!==n)&&(n=o),(s<r||r!==r)&&(r=s),r<0)?null:this.at(n>=0?n:r,t)}intersectsBox(e){return this.intersectBox(e,mm)!==null}intersectTriangle(e,t,n,r,i){let a=this.origin,o=this.direction,s=o.x,c=o.y,l=o.z,u=e.x-a.x,d=e.y-a.y,f=e.z-a.z,p=t.x-a.x,m=t.y-a.y,h=t.z-a.z,g=n.x-a.x,_=n.y-a.y,v=n.z-a.z,y=Math.abs(s),b=Math.abs(c),x=Math.abs(l),S,C,w,T,E,D,O,k,A,j,M,N;if(y>=b&&y>=x?(w=s,D=u,A=p,N=g,s>=0?(S=c,C=l,T=d,E=f,O=m,k=h,j=_,M=v):(S=l,C=c,T=f,E=d,O=h,k=m,j=v,M=_)):b>=x?(w=c,D=d,A=m,N=_,c>=0?(S=l,C=s,T=f,E=u,O=h,k=p,j=v,M=g):(S=s,C=l,T=u,E=f,O=p,k=h,j=g,M=v)):(w=l,D=f,A=h,N=v,l>=0?(S=s,C=c,T=u,E=d,O=p,k=m,j=g,M=_):(S=c,C=s,T=d,E=u,O=m,k=p,j=_,M=g)),w===0)return null;let ee=S/w,te=C/w,ne=1/w,P=T-ee*D,re=E-te*D,F=O-ee*A,ie=k-te*A,ae=j-ee*N,oe=M-te*N,I=ae*ie-oe*F,se=P*oe-re*ae,ce=F*re-ie*P;if(r){if(I<0||se<0||ce<0)return null}else if((I<0||se<0||ce<0)&&(I>0||se>0||ce>0))return null;let le=I+se+ce;if(le===0)return null;let ue=ne*(I*D+se*A+ce*N);return(le>0?ue<0:ue>0)?null:this.at(ue/le,i)}applyMatrix4(e){return this.origin.applyMatrix4(e),this.direction.transformDirection(e),this}equals(e){return e.origin.equals(this.origin)&&e.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}},ym=class extends pm{constructor(e){super(),this.isMeshBasicMaterial=!0,this.type=`MeshBasicMaterial`,this.color=new Q(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new Vf,this.combine=0,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap=`round`,this.wireframeLinejoin=`round`,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.lightMap=e.lightMap,this.lightMapIntensity=e.lightMapIntensity,this.aoMap=e.aoMap,this.aoMapIntensity=e.aoMapIntensity,this.specularMap=e.specularMap,this.alphaMap=e.alphaMap,this.envMap=e.envMap,this.envMapRotation.copy(e.envMapRotation),this.combine=e.combine,this.reflectivity=e.reflectivity,this.refractionRatio=e.refractionRatio,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.wireframeLinecap=e.wireframeLinecap,this.wireframeLinejoin=e.wireframeLinejoin,this.fog=e.fog,this}},bm=new jf,xm=new vm,Sm=new $p,Cm=new Z,wm=new Z,Tm=new Z,Em=new Z,Dm=new Z,Om=new Z,km=new Z,Am=new Z,jm=class extends ip{constructor(e=new sm,t=new ym){super(),this.isMesh=!0,this.type=`Mesh`,this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),this.morphTargetInfluences=e.morphTargetInfluences===void 0?void 0:e.morphTargetInfluences.slice(),this.morphTargetDictionary=e.morphTargetDictionary===void 0?void 0:Object.assign({},e.morphTargetDictionary),this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}updateMorphTargets(){let e=this.geometry.morphAttributes,t=Object.keys(e);if(t.length>0){let n=e[t[0]];if(n!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let e=0,t=n.length;e<t;e++){let t=n[e].name||String(e);this.morphTargetInfluences.push(0),this.morphTargetDictionary[t]=e}}}}getVertexPosition(e,t){let n=this.geometry,r=n.attributes.position,i=n.morphAttributes.position,a=n.morphTargetsRelative;t.fromBufferAttribute(r,e);let o=this.morphTargetInfluences;if(i&&o){Om.set(0,0,0);for(let n=0,r=i.length;n<r;n++){let r=o[n],s=i[n];r!==0&&(Dm.fromBufferAttribute(s,e),a?Om.addScaledVector(Dm,r):Om.addScaledVector(Dm.sub(t),r))}t.add(Om)}return t}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,r=this.material,i=this.matrixWorld;r!==void 0&&(n.boundingSphere===null&&n.computeBoundingSphere(),Sm.copy(n.boundingSphere),Sm.applyMatrix4(i),xm.copy(e.ray).recast(e.near),!(Sm.containsPoint(xm.origin)===!1&&(xm.intersectSphere(Sm,Cm)===null||xm.origin.distanceToSquared(Cm)>(e.far-e.near)**2))&&(bm.copy(i).invert(),xm.copy(e.ray).applyMatrix4(bm),(n.boundingBox===null||xm.intersectsBox(n.boundingBox)!==!1)&&this._computeIntersections(e,t,xm)))}_computeIntersections(e,t,n){let r,i=this.geometry,a=this.material,o=i.index,s=i.attributes.position,c=i.attributes.uv,l=i.attributes.uv1,u=i.attributes.normal,d=i.groups,f=i.drawRange;if(o!==null){if(Array.isArray(a))for(let i=0,s=d.length;i<s;i++){let s=d[i],p=a[s.materialIndex],m=Math.max(s.start,f.start),h=Math.min(o.count,Math.min(s.start+s.count,f.start+f.count));for(let i=m,a=h;i<a;i+=3){let a=o.getX(i),d=o.getX(i+1),f=o.getX(i+2);r=Nm(this,p,e,n,c,l,u,a,d,f),r&&(r.faceIndex=Math.floor(i/3),r.face.materialIndex=s.materialIndex,t.push(r))}}else{let i=Math.max(0,f.start),s=Math.min(o.count,f.start+f.count);for(let d=i,f=s;d<f;d+=3){let i=o.getX(d),s=o.getX(d+1),f=o.getX(d+2);r=Nm(this,a,e,n,c,l,u,i,s,f),r&&(r.faceIndex=Math.floor(d/3),t.push(r))}}}else if(s!==void 0){if(Array.isArray(a))for(let i=0,o=d.length;i<o;i++){let o=d[i],p=a[o.materialIndex],m=Math.max(o.start,f.start),h=Math.min(s.count,Math.min(o.start+o.count,f.start+f.count));for(let i=m,a=h;i<a;i+=3){let a=i,s=i+1,d=i+2;r=Nm(this,p,e,n,c,l,u,a,s,d),r&&(r.faceIndex=Math.floor(i/3),r.face.materialIndex=o.materialIndex,t.push(r))}}else{let i=Math.max(0,f.start),o=Math.min(s.count,f.start+f.count);for(let s=i,d=o;s<d;s+=3){let i=s,o=s+1,d=s+2;r=Nm(this,a,e,n,c,l,u,i,o,d),r&&(r.faceIndex=Math.floor(s/3),t.push(r))}}}}};function Mm(e,t,n,r,i,a,o,s){let c;if(c=t.side===1?r.intersectTriangle(o,a,i,!0,s):r.intersectTriangle(i,a,o,t.side===0,s),c===null)return null;Am.copy(s),Am.applyMatrix4(e.matrixWorld);let l=n.ray.origin.distanceTo(Am);return l<n.near||l>n.far?null:{distance:l,point:Am.clone(),object:e}}function Nm(e,t,n,r,i,a,o,s,c,l){e.getVertexPosition(s,wm),e.getVertexPosition(c,Tm),e.getVertexPosition(l,Em);let u=Mm(e,t,n,r,wm,Tm,Em,km);if(u){let e=new Z;Dp.getBarycoord(km,wm,Tm,Em,e),i&&(u.uv=Dp.getInterpolatedAttribute(i,s,c,l,e,new X)),a&&(u.uv1=Dp.getInterpolatedAttribute(a,s,c,l,e,new X)),o&&(u.normal=Dp.getInterpolatedAttribute(o,s,c,l,e,new Z),u.normal.dot(r.direction)>0&&u.normal.multiplyScalar(-1));let t={a:s,b:c,c:l,normal:new Z,materialIndex:0};Dp.getNormal(wm,Tm,Em,t.normal),u.face=t,u.barycoord=e}return u}var Pm=new Ef,Fm=new Ef,Im=new Ef,Lm=new Ef,Rm=new jf,zm=new Z,Bm=new $p,Vm=new jf,Hm=new vm,Um=class extends jm{constructor(e,t){super(e,t),this.isSkinnedMesh=!0,this.type=`SkinnedMesh`,this.bindMode=Gl,this.bindMatrix=new jf,this.bindMatrixInverse=new jf,this.boundingBox=null,this.boundingSphere=null}computeBoundingBox(){let e=this.geometry;this.boundingBox===null&&(this.boundingBox=new Op),this.boundingBox.makeEmpty();let t=e.getAttribute(`position`);for(let e=0;e<t.count;e++)this.getVertexPosition(e,zm),this.boundingBox.expandByPoint(zm)}computeBoundingSphere(){let e=this.geometry;this.boundingSphere===null&&(this.boundingSphere=new $p),this.boundingSphere.makeEmpty();let t=e.getAttribute(`position`);for(let e=0;e<t.count;e++)this.getVertexPosition(e,zm),this.boundingSphere.expandByPoint(zm)}copy(e,t){return super.copy(e,t),this.bindMode=e.bindMode,this.bindMatrix.copy(e.bindMatrix),this.bindMatrixInverse.copy(e.bindMatrixInverse),this.skeleton=e.skeleton,this.boundingBox=e.boundingBox===null?null:e.boundingBox.clone(),this.boundingSphere=e.boundingSphere===null?null:e.boundingSphere.clone(),this}raycast(e,t){let n=this.material,r=this.matrixWorld;n!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),Bm.copy(this.boundingSphere),Bm.applyMatrix4(r),e.ray.intersectsSphere(Bm)!==!1&&(Vm.copy(r).invert(),Hm.copy(e.ray).applyMatrix4(Vm),(this.boundingBox===null||Hm.intersectsBox(this.boundingBox)!==!1)&&this._computeIntersections(e,t,Hm)))}getVertexPosition(e,t){return super.getVertexPosition(e,t),this.applyBoneTransform(e,t),t}bind(e,t){this.skeleton=e,t===void 0&&(this.updateMatrixWorld(!0),this.skeleton.calculateInverses(),t=this.matrixWorld),this.bindMatrix.copy(t),this.bindMatrixInverse.copy(t).invert()}pose(){this.skeleton.pose()}normalizeSkinWeights(){let e=new Ef,t=this.geometry.attributes.skinWeight;for(let n=0,r=t.count;n<r;n++){e.fromBufferAttribute(t,n);let r=1/e.manhattanLength();r===1/0?e.set(1,0,0,0):e.multiplyScalar(r),t.setXYZW(n,e.x,e.y,e.z,e.w)}}updateMatrixWorld(e){super.updateMatrixWorld(e),this.bindMode===`attached`?this.bindMatrixInverse.copy(this.matrixWorld).invert():this.bindMode===`detached`?this.bindMatrixInverse.copy(this.bindMatrix).invert():J(`SkinnedMesh: Unrecognized bindMode: `+this.bindMode)}applyBoneTransform(e,t){let n=this.skeleton,r=this.geometry;Fm.fromBufferAttribute(r.attributes.skinIndex,e),Im.fromBufferAttribute(r.attributes.skinWeight,e),t.isVector4?(Pm.copy(t),t.set(0,0,0,0)):(Pm.set(t.x,t.y,t.z,1),t.set(0,0,0)),Pm.applyMatrix4(this.bindMatrix);for(let e=0;e<4;e++){let r=Im.getComponent(e);if(r!==0){let i=Fm.getComponent(e);Rm.multiplyMatrices(n.bones[i].matrixWorld,n.boneInverses[i]),t.addScaledVector(Lm.copy(Pm).applyMatrix4(Rm),r)}}return t.isVector4&&(t.w=Pm.w),t.applyMatrix4(this.bindMatrixInverse)}},Wm=class extends ip{constructor(){super(),this.isBone=!0,this.type=`Bone`}},Gm=class extends Tf{constructor(e=null,t=1,n=1,r,i,a,o,s,c=Yl,l=Yl,u,d){super(null,a,o,s,c,l,r,i,u,d),this.isDataTexture=!0,this.image={data:e,width:t,height:n},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}},Km=new jf,qm=new jf,Jm=class e{constructor(e=[],t=[]){this.uuid=Id(),this.bones=e.slice(0),this.boneInverses=t,this.boneMatrices=null,this.previousBoneMatrices=null,this.boneTexture=null,this.previousBoneTexture=null,this.init()}init(){let e=this.bones,t=this.boneInverses;if(this.boneMatrices=new Float32Array(e.length*16),t.length===0)this.calculateInverses();else if(e.length!==t.length){J(`Skeleton: Number of inverse bone matrices does not match amount of bones.`),this.boneInverses=[];for(let e=0,t=this.bones.length;e<t;e++)this.boneInverses.push(new jf)}}calculateInverses(){this.boneInverses.length=0;for(let e=0,t=this.bones.length;e<t;e++){let t=new jf;this.bones[e]&&t.copy(this.bones[e].matrixWorld).invert(),this.boneInverses.push(t)}}pose(){for(let e=0,t=this.bones.length;e<t;e++){let t=this.bones[e];t&&t.matrixWorld.copy(this.boneInverses[e]).invert()}for(let e=0,t=this.bones.length;e<t;e++){let t=this.bones[e];t&&(t.parent&&t.parent.isBone?(t.matrix.copy(t.parent.matrixWorld).invert(),t.matrix.multiply(t.matrixWorld)):t.matrix.copy(t.matrixWorld),t.matrix.decompose(t.position,t.quaternion,t.scale))}}update(){let e=this.bones,t=this.boneInverses,n=this.boneMatrices,r=this.boneTexture;for(let r=0,i=e.length;r<i;r++){let i=e[r]?e[r].matrixWorld:qm;Km.multiplyMatrices(i,t[r]),Km.toArray(n,r*16)}r!==null&&(r.needsUpdate=!0)}clone(){return new e(this.bones,this.boneInverses)}computeBoneTexture(){let e=Math.sqrt(this.bones.length*4);e=Math.ceil(e/4)*4,e=Math.max(e,4);let t=new Float32Array(e*e*4);t.set(this.boneMatrices);let n=new Gm(t,e,e,gu,su);return n.needsUpdate=!0,this.boneMatrices=t,this.boneTexture=n,this}getBoneByName(e){for(let t=0,n=this.bones.length;t<n;t++){let n=this.bones[t];if(n.name===e)return n}}dispose(){this.boneTexture!==null&&(this.boneTexture.dispose(),this.boneTexture=null),this.previousBoneTexture!==null&&(this.previousBoneTexture.dispose(),this.previousBoneTexture=null)}fromJSON(e,t){this.uuid=e.uuid;for(let n=0,r=e.bones.length;n<r;n++){let r=e.bones[n],i=t[r];i===void 0&&(J(`Skeleton: No bone found with UUID:`,r),i=new Wm),this.bones.push(i),this.boneInverses.push(new jf().fromArray(e.boneInverses[n]))}return this.init(),this}toJSON(){let e={metadata:{version:4.7,type:`Skeleton`,generator:`Skeleton.toJSON`},bones:[],boneInverses:[]};e.uuid=this.uuid;let t=this.bones,n=this.boneInverses;for(let r=0,i=t.length;r<i;r++){let i=t[r];e.bones.push(i.uuid);let a=n[r];e.boneInverses.push(a.toArray())}return e}},Ym=class extends Kp{constructor(e,t,n,r=1){super(e,t,n),this.isInstancedBufferAttribute=!0,this.meshPerAttribute=r}copy(e){return super.copy(e),this.meshPerAttribute=e.meshPerAttribute,this}toJSON(){let e=super.toJSON();return e.meshPerAttribute=this.meshPerAttribute,e.isInstancedBufferAttribute=!0,e}},Xm=new jf,Zm=new jf,Qm=[],$m=new Op,eh=new jf,th=new jm,nh=new $p,rh=class extends jm{constructor(e,t,n){super(e,t),this.isInstancedMesh=!0,this.instanceMatrix=new Ym(new Float32Array(n*16),16),this.instanceColor=null,this.morphTexture=null,this.count=n,this.boundingBox=null,this.boundingSphere=null;for(let e=0;e<n;e++)this.setMatrixAt(e,eh)}computeBoundingBox(){let e=this.geometry,t=this.count;this.boundingBox===null&&(this.boundingBox=new Op),e.boundingBox===null&&e.computeBoundingBox(),this.boundingBox.makeEmpty();for(let n=0;n<t;n++)this.getMatrixAt(n,Xm),$m.copy(e.boundingBox).applyMatrix4(Xm),this.boundingBox.union($m)}computeBoundingSphere(){let e=this.geometry,t=this.count;this.boundingSphere===null&&(this.boundingSphere=new $p),e.boundingSphere===null&&e.computeBoundingSphere(),this.boundingSphere.makeEmpty();for(let n=0;n<t;n++)this.getMatrixAt(n,Xm),nh.copy(e.boundingSphere).applyMatrix4(Xm),this.boundingSphere.union(nh)}copy(e,t){return super.copy(e,t),this.instanceMatrix.copy(e.instanceMatrix),this.morphTexture=e.morphTexture===null?null:e.morphTexture.clone(),this.instanceColor=e.instanceColor===null?null:e.instanceColor.clone(),this.count=e.count,this.boundingBox=e.boundingBox===null?null:e.boundingBox.clone(),this.boundingSphere=e.boundingSphere===null?null:e.boundingSphere.clone(),this}getColorAt(e,t){return this.instanceColor===null?t.setRGB(1,1,1):t.fromArray(this.instanceColor.array,e*3)}getMatrixAt(e,t){return t.fromArray(this.instanceMatrix.array,e*16)}getMorphAt(e,t){let n=t.morphTargetInfluences,r=this.morphTexture.source.data.data,i=e*(n.length+1)+1;for(let e=0;e<n.length;e++)n[e]=r[i+e]}raycast(e,t){let n=this.matrixWorld,r=this.count;if(th.geometry=this.geometry,th.material=this.material,th.material!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),nh.copy(this.boundingSphere),nh.applyMatrix4(n),e.ray.intersectsSphere(nh)!==!1))for(let i=0;i<r;i++){this.getMatrixAt(i,Xm),Zm.multiplyMatrices(n,Xm),th.matrixWorld=Zm,th.raycast(e,Qm);for(let e=0,n=Qm.length;e<n;e++){let n=Qm[e];n.instanceId=i,n.object=this,t.push(n)}Qm.length=0}}setColorAt(e,t){return this.instanceColor===null&&(this.instanceColor=new Ym(new Float32Array(this.instanceMatrix.count*3).fill(1),3)),t.toArray(this.instanceColor.array,e*3),this}setMatrixAt(e,t){return t.toArray(this.instanceMatrix.array,e*16),this}setMorphAt(e,t){let n=t.morphTargetInfluences,r=n.length+1;this.morphTexture===null&&(this.morphTexture=new Gm(new Float32Array(r*this.count),r,this.count,yu,su));let i=this.morphTexture.source.data.data,a=0;for(let e=0;e<n.length;e++)a+=n[e];let o=this.geometry.morphTargetsRelative?1:1-a,s=r*e;return i[s]=o,i.set(n,s+1),this}updateMorphTargets(){}dispose(){super.dispose(),this.instanceMatrix.dispose(),this.instanceColor!==null&&this.instanceColor.dispose(),this.morphTexture!==null&&(this.morphTexture.dispose(),this.morphTexture=null)}},ih=new $p,ah=new X(.5,.5),oh=new Z,sh=class{constructor(e=new dm,t=new dm,n=new dm,r=new dm,i=new dm,a=new dm){this.planes=[e,t,n,r,i,a]}set(e,t,n,r,i,a){let o=this.planes;return o[0].copy(e),o[1].copy(t),o[2].copy(n),o[3].copy(r),o[4].copy(i),o[5].copy(a),this}copy(e){let t=this.planes;for(let n=0;n<6;n++)t[n].copy(e.planes[n]);return this}setFromProjectionMatrix(e,t=bd,n=!1){let r=this.planes,i=e.elements,a=i[0],o=i[1],s=i[2],c=i[3],l=i[4],u=i[5],d=i[6],f=i[7],p=i[8],m=i[9],h=i[10],g=i[11],_=i[12],v=i[13],y=i[14],b=i[15];if(r[0].setComponents(c-a,f-l,g-p,b-_).normalize(),r[1].setComponents(c+a,f+l,g+p,b+_).normalize(),r[2].setComponents(c+o,f+u,g+m,b+v).normalize(),r[3].setComponents(c-o,f-u,g-m,b-v).normalize(),n)r[4].setComponents(s,d,h,y).normalize(),r[5].setComponents(c-s,f-d,g-h,b-y).normalize();else if(r[4].setComponents(c-s,f-d,g-h,b-y).normalize(),t===2e3)r[5].setComponents(c+s,f+d,g+h,b+y).normalize();else if(t===2001)r[5].setComponents(s,d,h,y).normalize();else throw Error(`THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: `+t);return this}intersectsObject(e){if(e.boundingSphere!==void 0)e.boundingSphere===null&&e.computeBoundingSphere(),ih.copy(e.boundingSphere).applyMatrix4(e.matrixWorld);else{let t=e.geometry;t.boundingSphere===null&&t.computeBoundingSphere(),ih.copy(t.boundingSphere).applyMatrix4(e.matrixWorld)}return this.intersectsSphere(ih)}intersectsSprite(e){return ih.center.set(0,0,0),ih.radius=.7071067811865476+ah.distanceTo(e.center),ih.applyMatrix4(e.matrixWorld),this.intersectsSphere(ih)}intersectsSphere(e){let t=this.planes,n=e.center,r=-e.radius;for(let e=0;e<6;e++)if(t[e].distanceToPoint(n)<r)return!1;return!0}intersectsBox(e){let t=this.planes;for(let n=0;n<6;n++){let r=t[n];if(oh.x=r.normal.x>0?e.max.x:e.min.x,oh.y=r.normal.y>0?e.max.y:e.min.y,oh.z=r.normal.z>0?e.max.z:e.min.z,r.distanceToPoint(oh)<0)return!1}return!0}containsPoint(e){let t=this.planes;for(let n=0;n<6;n++)if(t[n].distanceToPoint(e)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}},ch=new jf,lh=class e{constructor(){this.coordinateSystem=bd,this._frustums=[],this._count=0}setFromArrayCamera(e){let t=e.cameras,n=this._frustums;for(let e=0;e<t.length;e++){let r=t[e];ch.multiplyMatrices(r.projectionMatrix,r.matrixWorldInverse),n[e]===void 0&&(n[e]=new sh),n[e].setFromProjectionMatrix(ch,r.coordinateSystem,r.reversedDepth)}return this._count=t.length,this}getFrustum(e){return this._frustums[e]}intersectsObject(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsObject(e))return!0;return!1}intersectsSprite(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsSprite(e))return!0;return!1}intersectsSphere(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsSphere(e))return!0;return!1}intersectsBox(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsBox(e))return!0;return!1}containsPoint(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].containsPoint(e))return!0;return!1}copy(e){this.coordinateSystem=e.coordinateSystem;let t=this._frustums,n=e._frustums;for(let r=0;r<e._count;r++)t[r]===void 0&&(t[r]=new sh),t[r].copy(n[r]);return this._count=e._count,this}clone(){return new e().copy(this)}},uh=class extends pm{constructor(e){super(),this.isLineBasicMaterial=!0,this.type=`LineBasicMaterial`,this.color=new Q(16777215),this.map=null,this.linewidth=1,this.linecap=`round`,this.linejoin=`round`,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.linewidth=e.linewidth,this.linecap=e.linecap,this.linejoin=e.linejoin,this.fog=e.fog,this}},dh=new Z,fh=new Z,ph=new jf,mh=new vm,hh=new $p,gh=new Z,_h=new Z,vh=class extends ip{constructor(e=new sm,t=new uh){super(),this.isLine=!0,this.type=`Line`,this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),this.morphTargetInfluences=e.morphTargetInfluences===void 0?void 0:e.morphTargetInfluences.slice(),this.morphTargetDictionary=e.morphTargetDictionary===void 0?void 0:Object.assign({},e.morphTargetDictionary),this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}computeLineDistances(){let e=this.geometry;if(e.index===null){let t=e.attributes.position,n=[0];for(let e=1,r=t.count;e<r;e++)dh.fromBufferAttribute(t,e-1),fh.fromBufferAttribute(t,e),n[e]=n[e-1],n[e]+=dh.distanceTo(fh);e.setAttribute(`lineDistance`,new Yp(n,1))}else J(`Line.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.`);return this}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,r=this.matrixWorld,i=e.params.Line.threshold,a=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),hh.copy(n.boundingSphere),hh.applyMatrix4(r),hh.radius+=i,e.ray.intersectsSphere(hh)===!1)return;ph.copy(r).invert(),mh.copy(e.ray).applyMatrix4(ph);let o=i/((this.scale.x+this.scale.y+this.scale.z)/3),s=o*o,c=this.isLineSegments?2:1,l=n.index,u=n.attributes.position;if(l!==null){let n=Math.max(0,a.start),r=Math.min(l.count,a.start+a.count);for(let i=n,a=r-1;i<a;i+=c){let n=l.getX(i),r=l.getX(i+1),a=yh(this,e,mh,s,n,r,i);a&&t.push(a)}if(this.isLineLoop){let i=l.getX(r-1),a=l.getX(n),o=yh(this,e,mh,s,i,a,r-1);o&&t.push(o)}}else{let n=Math.max(0,a.start),r=Math.min(u.count,a.start+a.count);for(let i=n,a=r-1;i<a;i+=c){let n=yh(this,e,mh,s,i,i+1,i);n&&t.push(n)}if(this.isLineLoop){let i=yh(this,e,mh,s,r-1,n,r-1);i&&t.push(i)}}}updateMorphTargets(){let e=this.geometry.morphAttributes,t=Object.keys(e);if(t.length>0){let n=e[t[0]];if(n!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let e=0,t=n.length;e<t;e++){let t=n[e].name||String(e);this.morphTargetInfluences.push(0),this.morphTargetDictionary[t]=e}}}}};function yh(e,t,n,r,i,a,o){let s=e.geometry.attributes.position;if(dh.fromBufferAttribute(s,i),fh.fromBufferAttribute(s,a),n.distanceSqToSegment(dh,fh,gh,_h)>r)return;gh.applyMatrix4(e.matrixWorld);let c=t.ray.origin.distanceTo(gh);if(!(c<t.near||c>t.far))return{distance:c,point:_h.clone().applyMatrix4(e.matrixWorld),index:o,face:null,faceIndex:null,barycoord:null,object:e}}var bh=new Z,xh=new Z,Sh=class extends vh{constructor(e,t){super(e,t),this.isLineSegments=!0,this.type=`LineSegments`}computeLineDistances(){let e=this.geometry;if(e.index===null){let t=e.attributes.position,n=[];for(let e=0,r=t.count;e<r;e+=2)bh.fromBufferAttribute(t,e),xh.fromBufferAttribute(t,e+1),n[e]=e===0?0:n[e-1],n[e+1]=n[e]+bh.distanceTo(xh);e.setAttribute(`lineDistance`,new Yp(n,1))}else J(`LineSegments.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.`);return this}},Ch=class extends Tf{constructor(e=[],t=301,n,r,i,a,o,s,c,l){super(e,t,n,r,i,a,o,s,c,l),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(e){this.image=e}},wh=class extends Tf{constructor(e,t,n,r,i,a,o,s,c){super(e,t,n,r,i,a,o,s,c),this.isCanvasTexture=!0,this.needsUpdate=!0}},Th=class extends Tf{constructor(e,t,n=ou,r,i,a,o=Yl,s=Yl,c,l=_u,u=1){if(l!==1026&&l!==1027)throw Error(`THREE.DepthTexture: format must be either THREE.DepthFormat or THREE.DepthStencilFormat`);super({width:e,height:t,depth:u},r,i,a,o,s,l,n,c),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(e){return super.copy(e),this.source=new xf(Object.assign({},e.image)),this.compareFunction=e.compareFunction,this}toJSON(e){let t=super.toJSON(e);return t.compareFunction=this.compareFunction,t}},Eh=class extends Th{constructor(e,t=ou,n=301,r,i,a=Yl,o=Yl,s,c=_u){let l={width:e,height:e,depth:1},u=[l,l,l,l,l,l];super(e,e,t,n,r,i,a,o,s,c),this.image=u,this.isCubeDepthTexture=!0,this.isCubeTexture=!0}get images(){return this.image}set images(e){this.image=e}},Dh=class extends Tf{constructor(e=null){super(),this.sourceTexture=e,this.isExternalTexture=!0}copy(e){return super.copy(e),this.sourceTexture=e.sourceTexture,this}},Oh=class e extends sm{constructor(e=1,t=1,n=1,r=1,i=1,a=1){super(),this.type=`BoxGeometry`,this.parameters={width:e,height:t,depth:n,widthSegments:r,heightSegments:i,depthSegments:a};let o=this;r=Math.floor(r),i=Math.floor(i),a=Math.floor(a);let s=[],c=[],l=[],u=[],d=0,f=0;p(`z`,`y`,`x`,-1,-1,n,t,e,a,i,0),p(`z`,`y`,`x`,1,-1,n,t,-e,a,i,1),p(`x`,`z`,`y`,1,1,e,n,t,r,a,2),p(`x`,`z`,`y`,1,-1,e,n,-t,r,a,3),p(`x`,`y`,`z`,1,-1,e,t,n,r,i,4),p(`x`,`y`,`z`,-1,-1,e,t,-n,r,i,5),this.setIndex(s),this.setAttribute(`position`,new Yp(c,3)),this.setAttribute(`normal`,new Yp(l,3)),this.setAttribute(`uv`,new Yp(u,2));function p(e,t,n,r,i,a,p,m,h,g,_){let v=a/h,y=p/g,b=a/2,x=p/2,S=m/2,C=h+1,w=g+1,T=0,E=0,D=new Z;for(let a=0;a<w;a++){let o=a*y-x;for(let s=0;s<C;s++)D[e]=(s*v-b)*r,D[t]=o*i,D[n]=S,c.push(D.x,D.y,D.z),D[e]=0,D[t]=0,D[n]=m>0?1:-1,l.push(D.x,D.y,D.z),u.push(s/h),u.push(1-a/g),T+=1}for(let e=0;e<g;e++)for(let t=0;t<h;t++){let n=d+t+C*e,r=d+t+C*(e+1),i=d+(t+1)+C*(e+1),a=d+(t+1)+C*e;s.push(n,r,a),s.push(r,i,a),E+=6}o.addGroup(f,E,_),f+=E,d+=T}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(t){return new e(t.width,t.height,t.depth,t.widthSegments,t.heightSegments,t.depthSegments)}},kh=class e extends sm{constructor(e=1,t=1,n=4,r=8,i=1){super(),this.type=`CapsuleGeometry`,this.parameters={radius:e,height:t,capSegments:n,radialSegments:r,heightSegments:i},t=Math.max(0,t),n=Math.max(1,Math.floor(n)),r=Math.max(3,Math.floor(r)),i=Math.max(1,Math.floor(i));let a=[],o=[],s=[],c=[],l=t/2,u=Math.PI/2*e,d=t,f=2*u+d,p=n*2+i,m=r+1,h=new Z,g=new Z;for(let _=0;_<=p;_++){let v=0,y=0,b=0,x=0;if(_<=n){let t=_/n,r=t*Math.PI/2;y=-l-e*Math.cos(r),b=e*Math.sin(r),x=-e*Math.cos(r),v=t*u}else if(_<=n+i){let r=(_-n)/i;y=-l+r*t,b=e,x=0,v=u+r*d}else{let t=(_-n-i)/n,r=t*Math.PI/2;y=l+e*Math.sin(r),b=e*Math.cos(r),x=e*Math.sin(r),v=u+d+t*u}let S=Math.max(0,Math.min(1,v/f)),C=0;_===0?C=.5/r:_===p&&(C=-.5/r);for(let e=0;e<=r;e++){let t=e/r,n=t*Math.PI*2,i=Math.sin(n),a=Math.cos(n);g.x=-b*a,g.y=y,g.z=b*i,o.push(g.x,g.y,g.z),h.set(-b*a,x,b*i),h.normalize(),s.push(h.x,h.y,h.z),c.push(t+C,S)}if(_>0){let e=(_-1)*m;for(let t=0;t<r;t++){let n=e+t,r=e+t+1,i=_*m+t,o=_*m+t+1;a.push(n,r,i),a.push(r,o,i)}}}this.setIndex(a),this.setAttribute(`position`,new Yp(o,3)),this.setAttribute(`normal`,new Yp(s,3)),this.setAttribute(`uv`,new Yp(c,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(t){return new e(t.radius,t.height,t.capSegments,t.radialSegments,t.heightSegments)}},Ah=class e extends sm{constructor(e=1,t=1,n=1,r=32,i=1,a=!1,o=0,s=Math.PI*2){super(),this.type=`CylinderGeometry`,this.parameters={radiusTop:e,radiusBottom:t,height:n,radialSegments:r,heightSegments:i,openEnded:a,thetaStart:o,thetaLength:s};let c=this;r=Math.floor(r),i=Math.floor(i);let l=[],u=[],d=[],f=[],p=0,m=[],h=n/2,g=0;_(),a===!1&&(e>0&&v(!0),t>0&&v(!1)),this.setIndex(l),this.setAttribute(`position`,new Yp(u,3)),this.setAttribute(`normal`,new Yp(d,3)),this.setAttribute(`uv`,new Yp(f,2));function _(){let a=new Z,_=new Z,v=0,y=(t-e)/n;for(let c=0;c<=i;c++){let l=[],g=c/i,v=g*(t-e)+e;for(let e=0;e<=r;e++){let t=e/r,i=t*s+o,c=Math.sin(i),m=Math.cos(i);_.x=v*c,_.y=-g*n+h,_.z=v*m,u.push(_.x,_.y,_.z),a.set(c,y,m).normalize(),d.push(a.x,a.y,a.z),f.push(t,1-g),l.push(p++)}m.push(l)}for(let n=0;n<r;n++)for(let r=0;r<i;r++){let a=m[r][n],o=m[r+1][n],s=m[r+1][n+1],c=m[r][n+1];(e>0||r!==0)&&(l.push(a,o,c),v+=3),(t>0||r!==i-1)&&(l.push(o,s,c),v+=3)}c.addGroup(g,v,0),g+=v}function v(n){let i=p,a=new X,m=new Z,_=0,v=n===!0?e:t,y=n===!0?1:-1;for(let e=1;e<=r;e++)u.push(0,h*y,0),d.push(0,y,0),f.push(.5,.5),p++;let b=p;for(let e=0;e<=r;e++){let t=e/r*s+o,n=Math.cos(t),i=Math.sin(t);m.x=v*i,m.y=h*y,m.z=v*n,u.push(m.x,m.y,m.z),d.push(0,y,0),a.x=n*.5+.5,a.y=i*.5*y+.5,f.push(a.x,a.y),p++}for(let e=0;e<r;e++){let t=i+e,r=b+e;n===!0?l.push(r,r+1,t):l.push(r+1,r,t),_+=3}c.addGroup(g,_,n===!0?1:2),g+=_}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(t){return new e(t.radiusTop,t.radiusBottom,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}},jh=class e extends Ah{constructor(e=1,t=1,n=32,r=1,i=!1,a=0,o=Math.PI*2){super(0,e,t,n,r,i,a,o),this.type=`ConeGeometry`,this.parameters={radius:e,height:t,radialSegments:n,heightSegments:r,openEnded:i,thetaStart:a,thetaLength:o}}static fromJSON(t){return new e(t.radius,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}},Mh=class e extends sm{constructor(e=1,t=1,n=1,r=1){super(),this.type=`PlaneGeometry`,this.parameters={width:e,height:t,widthSegments:n,heightSegments:r};let i=e/2,a=t/2,o=Math.floor(n),s=Math.floor(r),c=o+1,l=s+1,u=e/o,d=t/s,f=[],p=[],m=[],h=[];for(let e=0;e<l;e++){let t=e*d-a;for(let n=0;n<c;n++){let r=n*u-i;p.push(r,-t,0),m.push(0,0,1),h.push(n/o),h.push(1-e/s)}}for(let e=0;e<s;e++)for(let t=0;t<o;t++){let n=t+c*e,r=t+c*(e+1),i=t+1+c*(e+1),a=t+1+c*e;f.push(n,r,a),f.push(r,i,a)}this.setIndex(f),this.setAttribute(`position`,new Yp(p,3)),this.setAttribute(`normal`,new Yp(m,3)),this.setAttribute(`uv`,new Yp(h,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(t){return new e(t.width,t.height,t.widthSegments,t.heightSegments)}},Nh=class e extends sm{constructor(e=.5,t=1,n=32,r=1,i=0,a=Math.PI*2){super(),this.type=`RingGeometry`,this.parameters={innerRadius:e,outerRadius:t,thetaSegments:n,phiSegments:r,thetaStart:i,thetaLength:a},n=Math.max(3,n),r=Math.max(1,r);let o=[],s=[],c=[],l=[],u=e,d=(t-e)/r,f=new Z,p=new X;for(let e=0;e<=r;e++){for(let e=0;e<=n;e++){let r=i+e/n*a;f.x=u*Math.cos(r),f.y=u*Math.sin(r),s.push(f.x,f.y,f.z),c.push(0,0,1),p.x=(f.x/t+1)/2,p.y=(f.y/t+1)/2,l.push(p.x,p.y)}u+=d}for(let e=0;e<r;e++){let t=e*(n+1);for(let e=0;e<n;e++){let r=e+t,i=r,a=r+n+1,s=r+n+2,c=r+1;o.push(i,a,c),o.push(a,s,c)}}this.setIndex(o),this.setAttribute(`position`,new Yp(s,3)),this.setAttribute(`normal`,new Yp(c,3)),this.setAttribute(`uv`,new Yp(l,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(t){return new e(t.innerRadius,t.outerRadius,t.thetaSegments,t.phiSegments,t.thetaStart,t.thetaLength)}},Ph=class e extends sm{constructor(e=1,t=32,n=16,r=0,i=Math.PI*2,a=0,o=Math.PI){super(),this.type=`SphereGeometry`,this.parameters={radius:e,widthSegments:t,heightSegments:n,phiStart:r,phiLength:i,thetaStart:a,thetaLength:o},t=Math.max(3,Math.floor(t)),n=Math.max(2,Math.floor(n));let s=Math.min(a+o,Math.PI),c=0,l=[],u=new Z,d=new Z,f=[],p=[],m=[],h=[];for(let f=0;f<=n;f++){let g=[],_=f/n,v=a+_*o,y=e*Math.cos(v),b=Math.sqrt(e*e-y*y),x=0;f===0&&a===0?x=.5/t:f===n&&s===Math.PI&&(x=-.5/t);for(let e=0;e<=t;e++){let n=e/t,a=r+n*i;u.x=-b*Math.cos(a),u.y=y,u.z=b*Math.sin(a),p.push(u.x,u.y,u.z),d.copy(u).normalize(),m.push(d.x,d.y,d.z),h.push(n+x,1-_),g.push(c++)}l.push(g)}for(let e=0;e<n;e++)for(let r=0;r<t;r++){let t=l[e][r+1],i=l[e][r],o=l[e+1][r],c=l[e+1][r+1];(e!==0||a>0)&&f.push(t,i,c),(e!==n-1||s<Math.PI)&&f.push(i,o,c)}this.setIndex(f),this.setAttribute(`position`,new Yp(p,3)),this.setAttribute(`normal`,new Yp(m,3)),this.setAttribute(`uv`,new Yp(h,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(t){return new e(t.radius,t.widthSegments,t.heightSegments,t.phiStart,t.phiLength,t.thetaStart,t.thetaLength)}},Fh=class extends pm{constructor(e){super(),this.isShadowMaterial=!0,this.type=`ShadowMaterial`,this.color=new Q(0),this.transparent=!0,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.fog=e.fog,this}};function Ih(e){let t={};for(let n in e){t[n]={};for(let r in e[n]){let i=e[n][r];if(Rh(i))i.isRenderTargetTexture?(J(`UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms().`),t[n][r]=null):t[n][r]=i.clone();else if(Array.isArray(i)){if(Rh(i[0])){let e=[];for(let t=0,n=i.length;t<n;t++)e[t]=i[t].clone();t[n][r]=e}else t[n][r]=i.slice()}else t[n][r]=i}}return t}function Lh(e){let t={};for(let n=0;n<e.length;n++){let r=Ih(e[n]);for(let e in r)t[e]=r[e]}return t}function Rh(e){return e&&(e.isColor||e.isMatrix3||e.isMatrix4||e.isVector2||e.isVector3||e.isVector4||e.isTexture||e.isQuaternion)}function zh(e){let t=[];for(let n=0;n<e.length;n++)t.push(e[n].clone());return t}function Bh(e){let t=e.getRenderTarget();return t===null?e.outputColorSpace:t.isXRRenderTarget===!0?t.texture.colorSpace:hf.workingColorSpace}var Vh={clone:Ih,merge:Lh},Hh=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,Uh=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`,Wh=class extends pm{constructor(e){super(),this.isShaderMaterial=!0,this.type=`ShaderMaterial`,this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=Hh,this.fragmentShader=Uh,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,e!==void 0&&this.setValues(e)}copy(e){return super.copy(e),this.fragmentShader=e.fragmentShader,this.vertexShader=e.vertexShader,this.uniforms=Ih(e.uniforms),this.uniformsGroups=zh(e.uniformsGroups),this.defines=Object.assign({},e.defines),this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.fog=e.fog,this.lights=e.lights,this.clipping=e.clipping,this.extensions=Object.assign({},e.extensions),this.glslVersion=e.glslVersion,this.defaultAttributeValues=Object.assign({},e.defaultAttributeValues),this.index0AttributeName=e.index0AttributeName,this.uniformsNeedUpdate=e.uniformsNeedUpdate,this}toJSON(e){let t=super.toJSON(e);t.glslVersion=this.glslVersion,t.uniforms={};for(let n in this.uniforms){let r=this.uniforms[n].value;r&&r.isTexture?t.uniforms[n]={type:`t`,value:r.toJSON(e).uuid}:r&&r.isColor?t.uniforms[n]={type:`c`,value:r.getHex()}:r&&r.isVector2?t.uniforms[n]={type:`v2`,value:r.toArray()}:r&&r.isVector3?t.uniforms[n]={type:`v3`,value:r.toArray()}:r&&r.isVector4?t.uniforms[n]={type:`v4`,value:r.toArray()}:r&&r.isMatrix3?t.uniforms[n]={type:`m3`,value:r.toArray()}:r&&r.isMatrix4?t.uniforms[n]={type:`m4`,value:r.toArray()}:t.uniforms[n]={value:r}}Object.keys(this.defines).length>0&&(t.defines=this.defines),t.vertexShader=this.vertexShader,t.fragmentShader=this.fragmentShader,t.lights=this.lights,t.clipping=this.clipping;let n={};for(let e in this.extensions)this.extensions[e]===!0&&(n[e]=!0);return Object.keys(n).length>0&&(t.extensions=n),t}fromJSON(e,t){if(super.fromJSON(e,t),e.uniforms!==void 0)for(let n in e.uniforms){let r=e.uniforms[n];switch(this.uniforms[n]={},r.type){case`t`:this.uniforms[n].value=t[r.value]||null;break;case`c`:this.uniforms[n].value=new Q().setHex(r.value);break;case`v2`:this.uniforms[n].value=new X().fromArray(r.value);break;case`v3`:this.uniforms[n].value=new Z().fromArray(r.value);break;case`v4`:this.uniforms[n].value=new Ef().fromArray(r.value);break;case`m3`:this.uniforms[n].value=new uf().fromArray(r.value);break;case`m4`:this.uniforms[n].value=new jf().fromArray(r.value);break;default:this.uniforms[n].value=r.value}}if(e.defines!==void 0&&(this.defines=e.defines),e.vertexShader!==void 0&&(this.vertexShader=e.vertexShader),e.fragmentShader!==void 0&&(this.fragmentShader=e.fragmentShader),e.glslVersion!==void 0&&(this.glslVersion=e.glslVersion),e.extensions!==void 0)for(let t in e.extensions)this.extensions[t]=e.extensions[t];return e.lights!==void 0&&(this.lights=e.lights),e.clipping!==void 0&&(this.clipping=e.clipping),this}},Gh=class extends Wh{constructor(e){super(e),this.isRawShaderMaterial=!0,this.type=`RawShaderMaterial`}},Kh=class extends pm{constructor(e){super(),this.isMeshStandardMaterial=!0,this.type=`MeshStandardMaterial`,this.defines={STANDARD:``},this.color=new Q(16777215),this.roughness=1,this.metalness=0,this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new Q(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=0,this.normalScale=new X(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.roughnessMap=null,this.metalnessMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new Vf,this.envMapIntensity=1,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap=`round`,this.wireframeLinejoin=`round`,this.flatShading=!1,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.defines={STANDARD:``},this.color.copy(e.color),this.roughness=e.roughness,this.metalness=e.metalness,this.map=e.map,this.lightMap=e.lightMap,this.lightMapIntensity=e.lightMapIntensity,this.aoMap=e.aoMap,this.aoMapIntensity=e.aoMapIntensity,this.emissive.copy(e.emissive),this.emissiveMap=e.emissiveMap,this.emissiveIntensity=e.emissiveIntensity,this.bumpMap=e.bumpMap,this.bumpScale=e.bumpScale,this.normalMap=e.normalMap,this.normalMapType=e.normalMapType,this.normalScale.copy(e.normalScale),this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this.roughnessMap=e.roughnessMap,this.metalnessMap=e.metalnessMap,this.alphaMap=e.alphaMap,this.envMap=e.envMap,this.envMapRotation.copy(e.envMapRotation),this.envMapIntensity=e.envMapIntensity,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.wireframeLinecap=e.wireframeLinecap,this.wireframeLinejoin=e.wireframeLinejoin,this.flatShading=e.flatShading,this.fog=e.fog,this}},qh=class extends pm{constructor(e){super(),this.isMeshDepthMaterial=!0,this.type=`MeshDepthMaterial`,this.depthPacking=pd,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(e)}copy(e){return super.copy(e),this.depthPacking=e.depthPacking,this.map=e.map,this.alphaMap=e.alphaMap,this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this}},Jh=class extends pm{constructor(e){super(),this.isMeshDistanceMaterial=!0,this.type=`MeshDistanceMaterial`,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(e)}copy(e){return super.copy(e),this.map=e.map,this.alphaMap=e.alphaMap,this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this}},Yh=class extends uh{constructor(e){super(),this.isLineDashedMaterial=!0,this.type=`LineDashedMaterial`,this.scale=1,this.dashSize=3,this.gapSize=1,this.setValues(e)}copy(e){return super.copy(e),this.scale=e.scale,this.dashSize=e.dashSize,this.gapSize=e.gapSize,this}};function Xh(e,t){return!e||e.constructor===t?e:typeof t.BYTES_PER_ELEMENT==`number`?new t(e):Array.prototype.slice.call(e)}function Zh(e){return e!==void 0&&e.inTangents!==void 0&&e.outTangents!==void 0}var Qh=class{constructor(e,t,n,r){this.parameterPositions=e,this._cachedIndex=0,this.resultBuffer=r===void 0?new t.constructor(n):r,this.sampleValues=t,this.valueSize=n,this.settings=null,this.DefaultSettings_={}}evaluate(e){let t=this.parameterPositions,n=this._cachedIndex,r=t[n],i=t[n-1];validate_interval:{seek:{let a;linear_scan:{forward_scan:if(!(e<r)){for(let a=n+2;;){if(r===void 0){if(e<i)break forward_scan;return n=t.length,this._cachedIndex=n,this.copySampleValue_(n-1)}if(n===a)break;if(i=r,r=t[++n],e<r)break seek}a=t.length;break linear_scan}if(!(e>=i)){let o=t[1];e<o&&(n=2,i=o);for(let a=n-2;;){if(i===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(n===a)break;if(r=i,i=t[--n-1],e>=i)break seek}a=n,n=0;break linear_scan}break validate_interval}for(;n<a;){let r=n+a>>>1;e<t[r]?a=r:n=r+1}if(r=t[n],i=t[n-1],i===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(r===void 0)return n=t.length,this._cachedIndex=n,this.copySampleValue_(n-1)}this._cachedIndex=n,this.intervalChanged_(n,i,r)}return this.interpolate_(n,i,e,r)}getSettings_(){return this.settings||this.DefaultSettings_}copySampleValue_(e){let t=this.resultBuffer,n=this.sampleValues,r=this.valueSize,i=e*r;for(let e=0;e!==r;++e)t[e]=n[i+e];return t}interpolate_(){throw Error(`THREE.Interpolant: Call to abstract method.`)}intervalChanged_(){}},$h=class extends Qh{constructor(e,t,n,r){super(e,t,n,r),this._weightPrev=-0,this._offsetPrev=-0,this._weightNext=-0,this._offsetNext=-0,this.DefaultSettings_={endingStart:ud,endingEnd:ud}}intervalChanged_(e,t,n){let r=this.parameterPositions,i=e-2,a=e+1,o=r[i],s=r[a];if(o===void 0)switch(this.getSettings_().endingStart){case dd:i=e,o=2*t-n;break;case fd:i=r.length-2,o=t+r[i]-r[i+1];break;default:i=e,o=n}if(s===void 0)switch(this.getSettings_().endingEnd){case dd:a=e,s=2*n-t;break;case fd:a=1,s=n+r[1]-r[0];break;default:a=e-1,s=t}let c=(n-t)*.5,l=this.valueSize;this._weightPrev=c/(t-o),this._weightNext=c/(s-n),this._offsetPrev=i*l,this._offsetNext=a*l}interpolate_(e,t,n,r){let i=this.resultBuffer,a=this.sampleValues,o=this.valueSize,s=e*o,c=s-o,l=this._offsetPrev,u=this._offsetNext,d=this._weightPrev,f=this._weightNext,p=(n-t)/(r-t),m=p*p,h=m*p,g=-d*h+2*d*m-d*p,_=(1+d)*h+(-1.5-2*d)*m+(-.5+d)*p+1,v=(-1-f)*h+(1.5+f)*m+.5*p,y=f*h-f*m;for(let e=0;e!==o;++e)i[e]=g*a[l+e]+_*a[c+e]+v*a[s+e]+y*a[u+e];return i}},eg=class extends Qh{constructor(e,t,n,r){super(e,t,n,r)}interpolate_(e,t,n,r){let i=this.resultBuffer,a=this.sampleValues,o=this.valueSize,s=e*o,c=s-o,l=(n-t)/(r-t),u=1-l;for(let e=0;e!==o;++e)i[e]=a[c+e]*u+a[s+e]*l;return i}},tg=class extends Qh{constructor(e,t,n,r){super(e,t,n,r)}interpolate_(e){return this.copySampleValue_(e-1)}},ng=class extends Qh{interpolate_(e,t,n,r){let i=this.resultBuffer,a=this.sampleValues,o=this.valueSize,s=e*o,c=s-o,l=this.inTangents,u=this.outTangents;if(!l||!u){let e=(n-t)/(r-t),l=1-e;for(let t=0;t!==o;++t)i[t]=a[c+t]*l+a[s+t]*e;return i}let d=o*2,f=e-1;for(let p=0;p!==o;++p){let o=a[c+p],m=a[s+p],h=f*d+p*2,g=u[h],_=u[h+1],v=e*d+p*2,y=l[v],b=l[v+1],x=ag(n,t,g,y,r);i[p]=rg(x,o,_,b,m)}return i}};function rg(e,t,n,r,i){let a=1-e;return a*a*a*t+3*a*a*e*n+3*a*e*e*r+e*e*e*i}function ig(e,t,n,r,i){let a=1-e;return 3*a*a*(n-t)+6*a*e*(r-n)+3*e*e*(i-r)}function ag(e,t,n,r,i){let a=(e-t)/(i-t);for(let o=0;o<8;o++){let o=rg(a,t,n,r,i)-e;if(Math.abs(o)<1e-10)break;let s=ig(a,t,n,r,i);if(Math.abs(s)<1e-10)break;a=Math.max(0,Math.min(1,a-o/s))}return a}var og=class{constructor(e,t,n,r){if(e===void 0)throw Error(`THREE.KeyframeTrack: track name is undefined`);if(t===void 0||t.length===0)throw Error(`THREE.KeyframeTrack: no keyframes in track named `+e);this.name=e,this.times=Xh(t,this.TimeBufferType),this.values=Xh(n,this.ValueBufferType),this.setInterpolation(r||this.DefaultInterpolation)}static toJSON(e){let t=e.constructor,n;if(t.toJSON!==this.toJSON)n=t.toJSON(e);else{n={name:e.name,times:Xh(e.times,Array),values:Xh(e.values,Array)};let t=e.getInterpolation();t!==e.DefaultInterpolation&&(n.interpolation=t),Zh(e.settings)&&(n.settings={inTangents:Xh(e.settings.inTangents,Array),outTangents:Xh(e.settings.outTangents,Array)})}return n.type=e.ValueTypeName,n}InterpolantFactoryMethodDiscrete(e){return new tg(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodLinear(e){return new eg(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodSmooth(e){return new $h(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodBezier(e){let t=new ng(this.times,this.values,this.getValueSize(),e);return this.settings&&(t.inTangents=this.settings.inTangents,t.outTangents=this.settings.outTangents),t}setInterpolation(e){let t;switch(e){case od:t=this.InterpolantFactoryMethodDiscrete;break;case sd:t=this.InterpolantFactoryMethodLinear;break;case cd:t=this.InterpolantFactoryMethodSmooth;break;case ld:t=this.InterpolantFactoryMethodBezier}if(t===void 0){let t=`unsupported interpolation for `+this.ValueTypeName+` keyframe track named `+this.name;if(this.createInterpolant===void 0){if(e!==this.DefaultInterpolation)this.setInterpolation(this.DefaultInterpolation);else throw Error(t)}return J(`KeyframeTrack:`,t),this}return this.createInterpolant=t,this}getInterpolation(){switch(this.createInterpolant){case this.InterpolantFactoryMethodDiscrete:return od;case this.InterpolantFactoryMethodLinear:return sd;case this.InterpolantFactoryMethodSmooth:return cd;case this.InterpolantFactoryMethodBezier:return ld}}getValueSize(){return this.values.length/this.times.length}shift(e){if(e!==0){let t=this.times;for(let n=0,r=t.length;n!==r;++n)t[n]+=e;Zh(this.settings)&&(sg(this.settings.inTangents,e),sg(this.settings.outTangents,e))}return this}scale(e){if(e!==1){let t=this.times;for(let n=0,r=t.length;n!==r;++n)t[n]*=e;Zh(this.settings)&&(cg(this.settings.inTangents,e),cg(this.settings.outTangents,e))}return this}trim(e,t){let n=this.times,r=n.length,i=0,a=r-1;for(;i!==r&&n[i]<e;)++i;for(;a!==-1&&n[a]>t;)--a;if(++a,i!==0||a!==r){i>=a&&(a=Math.max(a,1),i=a-1);let e=this.getValueSize();this.times=n.slice(i,a),this.values=this.values.slice(i*e,a*e)}return this}validate(){let e=!0,t=this.getValueSize();t-Math.floor(t)!==0&&(Y(`KeyframeTrack: Invalid value size in track.`,this),e=!1);let n=this.times,r=this.values,i=n.length;i===0&&(Y(`KeyframeTrack: Track is empty.`,this),e=!1);let a=null;for(let t=0;t!==i;t++){let r=n[t];if(typeof r==`number`&&isNaN(r)){Y(`KeyframeTrack: Time is not a valid number.`,this,t,r),e=!1;break}if(a!==null&&a>r){Y(`KeyframeTrack: Out of order keys.`,this,t,r,a),e=!1;break}a=r}if(r!==void 0&&Sd(r))for(let t=0,n=r.length;t!==n;++t){let n=r[t];if(isNaN(n)){Y(`KeyframeTrack: Value is not a valid number.`,this,t,n),e=!1;break}}return e}optimize(){let e=this.times.slice(),t=this.values.slice(),n=this.getValueSize(),r=this.getInterpolation()===cd,i=e.length-1,a=1;for(let o=1;o<i;++o){let i=!1,s=e[o];if(s!==e[o+1]&&(o!==1||s!==e[0])){if(r)i=!0;else{let e=o*n,r=e-n,a=e+n;for(let o=0;o!==n;++o){let n=t[e+o];if(n!==t[r+o]||n!==t[a+o]){i=!0;break}}}}if(i){if(o!==a){e[a]=e[o];let r=o*n,i=a*n;for(let e=0;e!==n;++e)t[i+e]=t[r+e]}++a}}if(i>0){e[a]=e[i];for(let e=i*n,r=a*n,o=0;o!==n;++o)t[r+o]=t[e+o];++a}return a===e.length?(this.times=e,this.values=t):(this.times=e.slice(0,a),this.values=t.slice(0,a*n)),this}clone(){let e=this.times.slice(),t=this.values.slice(),n=this.constructor,r=new n(this.name,e,t);return r.createInterpolant=this.createInterpolant,Zh(this.settings)&&(r.settings={inTangents:this.settings.inTangents.slice(),outTangents:this.settings.outTangents.slice()}),r}};function sg(e,t){for(let n=0,r=e.length;n!==r;n+=2)e[n]+=t}function cg(e,t){for(let n=0,r=e.length;n!==r;n+=2)e[n]*=t}og.prototype.ValueTypeName=``,og.prototype.TimeBufferType=Float32Array,og.prototype.ValueBufferType=Float32Array,og.prototype.DefaultInterpolation=sd;var lg=class extends og{constructor(e,t,n){super(e,t,n)}};lg.prototype.ValueTypeName=`bool`,lg.prototype.ValueBufferType=Array,lg.prototype.DefaultInterpolation=od,lg.prototype.InterpolantFactoryMethodLinear=void 0,lg.prototype.InterpolantFactoryMethodSmooth=void 0;var ug=class extends og{constructor(e,t,n,r){super(e,t,n,r)}};ug.prototype.ValueTypeName=`color`;var dg=class extends og{constructor(e,t,n,r){super(e,t,n,r)}};dg.prototype.ValueTypeName=`number`;var fg=class extends Qh{constructor(e,t,n,r){super(e,t,n,r)}interpolate_(e,t,n,r){let i=this.resultBuffer,a=this.sampleValues,o=this.valueSize,s=(n-t)/(r-t),c=e*o;for(let e=c+o;c!==e;c+=4)sf.slerpFlat(i,0,a,c-o,a,c,s);return i}},pg=class extends og{constructor(e,t,n,r){super(e,t,n,r)}InterpolantFactoryMethodLinear(e){return new fg(this.times,this.values,this.getValueSize(),e)}};pg.prototype.ValueTypeName=`quaternion`,pg.prototype.InterpolantFactoryMethodSmooth=void 0;var mg=class extends og{constructor(e,t,n){super(e,t,n)}};mg.prototype.ValueTypeName=`string`,mg.prototype.ValueBufferType=Array,mg.prototype.DefaultInterpolation=od,mg.prototype.InterpolantFactoryMethodLinear=void 0,mg.prototype.InterpolantFactoryMethodSmooth=void 0;var hg=class extends og{constructor(e,t,n,r){super(e,t,n,r)}};hg.prototype.ValueTypeName=`vector`;var gg=class extends ip{static registerNode(e){this.prototype._lightNode=e}constructor(e,t=1){super(),this.isLight=!0,this.type=`Light`,this.color=new Q(e),this.intensity=t}copy(e,t){return super.copy(e,t),this.color.copy(e.color),this.intensity=e.intensity,this}toJSON(e){let t=super.toJSON(e);return t.object.color=this.color.getHex(),t.object.intensity=this.intensity,t}},_g=class extends gg{constructor(e,t,n){super(e,n),this.isHemisphereLight=!0,this.type=`HemisphereLight`,this.position.copy(ip.DEFAULT_UP),this.updateMatrix(),this.groundColor=new Q(t)}copy(e,t){return super.copy(e,t),this.groundColor.copy(e.groundColor),this}toJSON(e){let t=super.toJSON(e);return t.object.groundColor=this.groundColor.getHex(),t}},vg=new jf,yg=new Z,bg=new Z,xg=class{constructor(e){this.camera=e,this.intensity=1,this.bias=0,this.biasNode=null,this.normalBias=0,this.radius=1,this.blurSamples=8,this.mapSize=new X(512,512),this.mapType=tu,this.map=null,this.mapPass=null,this.matrix=new jf,this.autoUpdate=!0,this.needsUpdate=!1,this._frustum=new sh,this._frameExtents=new X(1,1),this._viewportCount=1,this._viewports=[new Ef(0,0,1,1)]}getViewportCount(){return this._viewportCount}getCamera(){return this.camera}getFrustum(){return this._frustum}updateMatrices(e){let t=this.camera;yg.setFromMatrixPosition(e.matrixWorld),t.position.copy(yg),bg.setFromMatrixPosition(e.target.matrixWorld),t.lookAt(bg),t.updateMatrixWorld(),this._updateMatrix(t,this.matrix,this._frustum)}_updateMatrix(e,t,n,r){vg.multiplyMatrices(e.projectionMatrix,e.matrixWorldInverse),n.setFromProjectionMatrix(vg,e.coordinateSystem,e.reversedDepth);let i=this._frameExtents,a=r?r.z/i.x:1,o=r?r.w/i.y:1,s=r?r.x/i.x:0,c=r?r.y/i.y:0;e.coordinateSystem===2001||e.reversedDepth?t.set(.5*a,0,0,.5*a+s,0,.5*o,0,.5*o+c,0,0,1,0,0,0,0,1):t.set(.5*a,0,0,.5*a+s,0,.5*o,0,.5*o+c,0,0,.5,.5,0,0,0,1),t.multiply(vg)}getViewport(e){return this._viewports[e]}getFrameExtents(){return this._frameExtents}dispose(){this.map&&this.map.dispose(),this.mapPass&&this.mapPass.dispose()}copy(e){return this.camera=e.camera.clone(),this.intensity=e.intensity,this.bias=e.bias,this.radius=e.radius,this.autoUpdate=e.autoUpdate,this.needsUpdate=e.needsUpdate,this.normalBias=e.normalBias,this.blurSamples=e.blurSamples,this.mapSize.copy(e.mapSize),this.mapType=e.mapType,this.biasNode=e.biasNode,this}clone(){return new this.constructor().copy(this)}toJSON(){let e={};return e.intensity=this.intensity,e.bias=this.bias,e.normalBias=this.normalBias,e.radius=this.radius,e.blurSamples=this.blurSamples,e.mapSize=this.mapSize.toArray(),e.mapType=this.mapType,e.camera=this.camera.toJSON(!1).object,delete e.camera.matrix,e}},Sg=new Z,Cg=new sf,wg=new Z,Tg=class extends ip{constructor(){super(),this.isCamera=!0,this.type=`Camera`,this.matrixWorldInverse=new jf,this.projectionMatrix=new jf,this.projectionMatrixInverse=new jf,this.coordinateSystem=bd,this._reversedDepth=!1}get reversedDepth(){return this._reversedDepth}copy(e,t){return super.copy(e,t),this.matrixWorldInverse.copy(e.matrixWorldInverse),this.projectionMatrix.copy(e.projectionMatrix),this.projectionMatrixInverse.copy(e.projectionMatrixInverse),this.coordinateSystem=e.coordinateSystem,this}getWorldDirection(e){return super.getWorldDirection(e).negate()}updateMatrixWorld(e){super.updateMatrixWorld(e),this.matrixWorld.decompose(Sg,Cg,wg),wg.x===1&&wg.y===1&&wg.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(Sg,Cg,wg.set(1,1,1)).invert()}updateWorldMatrix(e,t,n=!1){super.updateWorldMatrix(e,t,n),this.matrixWorld.decompose(Sg,Cg,wg),wg.x===1&&wg.y===1&&wg.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(Sg,Cg,wg.set(1,1,1)).invert()}clone(){return new this.constructor().copy(this)}},Eg=new Z,Dg=new X,Og=new X,kg=class extends Tg{constructor(e=50,t=1,n=.1,r=2e3){super(),this.isPerspectiveCamera=!0,this.type=`PerspectiveCamera`,this.fov=e,this.zoom=1,this.near=n,this.far=r,this.focus=10,this.aspect=t,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(e,t){return super.copy(e,t),this.fov=e.fov,this.zoom=e.zoom,this.near=e.near,this.far=e.far,this.focus=e.focus,this.aspect=e.aspect,this.view=e.view===null?null:Object.assign({},e.view),this.filmGauge=e.filmGauge,this.filmOffset=e.filmOffset,this}setFocalLength(e){let t=.5*this.getFilmHeight()/e;this.fov=Fd*2*Math.atan(t),this.updateProjectionMatrix()}getFocalLength(){let e=Math.tan(Pd*.5*this.fov);return .5*this.getFilmHeight()/e}getEffectiveFOV(){return Fd*2*Math.atan(Math.tan(Pd*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(e,t,n){Eg.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),t.set(Eg.x,Eg.y).multiplyScalar(-e/Eg.z),Eg.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),n.set(Eg.x,Eg.y).multiplyScalar(-e/Eg.z)}getViewSize(e,t){return this.getViewBounds(e,Dg,Og),t.subVectors(Og,Dg)}setViewOffset(e,t,n,r,i,a){this.aspect=e/t,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=e,this.view.fullHeight=t,this.view.offsetX=n,this.view.offsetY=r,this.view.width=i,this.view.height=a,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let e=this.near,t=e*Math.tan(Pd*.5*this.fov)/this.zoom,n=2*t,r=this.aspect*n,i=-.5*r,a=this.view;if(this.view!==null&&this.view.enabled){let e=a.fullWidth,o=a.fullHeight;i+=a.offsetX*r/e,t-=a.offsetY*n/o,r*=a.width/e,n*=a.height/o}let o=this.filmOffset;o!==0&&(i+=e*o/this.getFilmWidth()),this.projectionMatrix.makePerspective(i,i+r,t,t-n,e,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(e){let t=super.toJSON(e);return t.object.fov=this.fov,t.object.zoom=this.zoom,t.object.near=this.near,t.object.far=this.far,t.object.focus=this.focus,t.object.aspect=this.aspect,this.view!==null&&(t.object.view=Object.assign({},this.view)),t.object.filmGauge=this.filmGauge,t.object.filmOffset=this.filmOffset,t}},Ag=class extends Tg{constructor(e=-1,t=1,n=1,r=-1,i=.1,a=2e3){super(),this.isOrthographicCamera=!0,this.type=`OrthographicCamera`,this.zoom=1,this.view=null,this.left=e,this.right=t,this.top=n,this.bottom=r,this.near=i,this.far=a,this.updateProjectionMatrix()}copy(e,t){return super.copy(e,t),this.left=e.left,this.right=e.right,this.top=e.top,this.bottom=e.bottom,this.near=e.near,this.far=e.far,this.zoom=e.zoom,this.view=e.view===null?null:Object.assign({},e.view),this}setViewOffset(e,t,n,r,i,a){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=e,this.view.fullHeight=t,this.view.offsetX=n,this.view.offsetY=r,this.view.width=i,this.view.height=a,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let e=(this.right-this.left)/(2*this.zoom),t=(this.top-this.bottom)/(2*this.zoom),n=(this.right+this.left)/2,r=(this.top+this.bottom)/2,i=n-e,a=n+e,o=r+t,s=r-t;if(this.view!==null&&this.view.enabled){let e=(this.right-this.left)/this.view.fullWidth/this.zoom,t=(this.top-this.bottom)/this.view.fullHeight/this.zoom;i+=e*this.view.offsetX,a=i+e*this.view.width,o-=t*this.view.offsetY,s=o-t*this.view.height}this.projectionMatrix.makeOrthographic(i,a,o,s,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(e){let t=super.toJSON(e);return t.object.zoom=this.zoom,t.object.left=this.left,t.object.right=this.right,t.object.top=this.top,t.object.bottom=this.bottom,t.object.near=this.near,t.object.far=this.far,this.view!==null&&(t.object.view=Object.assign({},this.view)),t}},jg=class extends xg{constructor(){super(new Ag(-5,5,5,-5,.5,500)),this.isDirectionalLightShadow=!0}},Mg=class extends gg{constructor(e,t){super(e,t),this.isDirectionalLight=!0,this.type=`DirectionalLight`,this.position.copy(ip.DEFAULT_UP),this.updateMatrix(),this.target=new ip,this.shadow=new jg}dispose(){super.dispose(),this.shadow.dispose()}copy(e){return super.copy(e),this.target=e.target.clone(),this.shadow=e.shadow.clone(),this}toJSON(e){let t=super.toJSON(e);return t.object.shadow=this.shadow.toJSON(),t.object.target=this.target.uuid,t}},Ng=-90,Pg=1,Fg=class extends ip{constructor(e,t,n){super(),this.type=`CubeCamera`,this.renderTarget=n,this.coordinateSystem=null,this.activeMipmapLevel=0;let r=new kg(Ng,Pg,e,t);r.layers=this.layers,this.add(r);let i=new kg(Ng,Pg,e,t);i.layers=this.layers,this.add(i);let a=new kg(Ng,Pg,e,t);a.layers=this.layers,this.add(a);let o=new kg(Ng,Pg,e,t);o.layers=this.layers,this.add(o);let s=new kg(Ng,Pg,e,t);s.layers=this.layers,this.add(s);let c=new kg(Ng,Pg,e,t);c.layers=this.layers,this.add(c)}updateCoordinateSystem(){let e=this.coordinateSystem,t=this.children.concat(),[n,r,i,a,o,s]=t;for(let e of t)this.remove(e);if(e===2e3)n.up.set(0,1,0),n.lookAt(1,0,0),r.up.set(0,1,0),r.lookAt(-1,0,0),i.up.set(0,0,-1),i.lookAt(0,1,0),a.up.set(0,0,1),a.lookAt(0,-1,0),o.up.set(0,1,0),o.lookAt(0,0,1),s.up.set(0,1,0),s.lookAt(0,0,-1);else if(e===2001)n.up.set(0,-1,0),n.lookAt(-1,0,0),r.up.set(0,-1,0),r.lookAt(1,0,0),i.up.set(0,0,1),i.lookAt(0,1,0),a.up.set(0,0,-1),a.lookAt(0,-1,0),o.up.set(0,-1,0),o.lookAt(0,0,1),s.up.set(0,-1,0),s.lookAt(0,0,-1);else throw Error(`THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: `+e);for(let e of t)this.add(e),e.updateMatrixWorld()}update(e,t){this.parent===null&&this.updateMatrixWorld();let{renderTarget:n,activeMipmapLevel:r}=this;this.coordinateSystem!==e.coordinateSystem&&(this.coordinateSystem=e.coordinateSystem,this.updateCoordinateSystem());let[i,a,o,s,c,l]=this.children,u=e.getRenderTarget(),d=e.getActiveCubeFace(),f=e.getActiveMipmapLevel(),p=e.xr.enabled;e.xr.enabled=!1;let m=n.texture.mipmapsAutoUpdate;n.texture.mipmapsAutoUpdate=!1;let h=!1;h=e.isWebGLRenderer===!0?e.state.buffers.depth.getReversed():e.reversedDepthBuffer,e.setRenderTarget(n,0,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,i),e.setRenderTarget(n,1,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,a),e.setRenderTarget(n,2,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,o),e.setRenderTarget(n,3,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,s),e.setRenderTarget(n,4,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,c),n.texture.mipmapsAutoUpdate=m,e.setRenderTarget(n,5,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,l),e.setRenderTarget(u,d,f),e.xr.enabled=p,n.texture.needsPMREMUpdate=!0}},Ig=class extends kg{constructor(e=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=e,this.perCameraFrustumCulled=!1}},Lg=`\\[\\]\\.:\\/`,Rg=RegExp(`[\\[\\]\\.:\\/]`,`g`),zg=`[^\\[\\]\\.:\\/]`,Bg=`[^`+Lg.replace(`\\.`,``)+`]`,Vg=`((?:WC+[\\/:])*)`.replace(`WC`,zg),Hg=`(WCOD+)?`.replace(`WCOD`,Bg),Ug=`(?:\\.(WC+)(?:\\[(.+)\\])?)?`.replace(`WC`,zg),Wg=`\\.(WC+)(?:\\[(.+)\\])?`.replace(`WC`,zg),Gg=RegExp(`^`+Vg+Hg+Ug+Wg+`$`),Kg=[`material`,`materials`,`bones`,`map`],qg=class{constructor(e,t,n){let r=n||Jg.parseTrackName(t);this._targetGroup=e,this._bindings=e.subscribe_(t,r)}getValue(e,t){this.bind();let n=this._targetGroup.nCachedObjects_,r=this._bindings[n];r!==void 0&&r.getValue(e,t)}setValue(e,t){let n=this._bindings;for(let r=this._targetGroup.nCachedObjects_,i=n.length;r!==i;++r)n[r].setValue(e,t)}bind(){let e=this._bindings;for(let t=this._targetGroup.nCachedObjects_,n=e.length;t!==n;++t)e[t].bind()}unbind(){let e=this._bindings;for(let t=this._targetGroup.nCachedObjects_,n=e.length;t!==n;++t)e[t].unbind()}},Jg=class e{constructor(t,n,r){this.path=n,this.parsedPath=r||e.parseTrackName(n),this.node=e.findNode(t,this.parsedPath.nodeName),this.rootNode=t,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}static create(t,n,r){return t&&t.isAnimationObjectGroup?new e.Composite(t,n,r):new e(t,n,r)}static sanitizeNodeName(e){return e.replace(/\s/g,`_`).replace(Rg,``)}static parseTrackName(e){let t=Gg.exec(e);if(t===null)throw Error(`THREE.PropertyBinding: Cannot parse trackName: `+e);let n={nodeName:t[2],objectName:t[3],objectIndex:t[4],propertyName:t[5],propertyIndex:t[6]},r=n.nodeName&&n.nodeName.lastIndexOf(`.`);if(r!==void 0&&r!==-1){let e=n.nodeName.substring(r+1);Kg.indexOf(e)!==-1&&(n.nodeName=n.nodeName.substring(0,r),n.objectName=e)}if(n.propertyName===null||n.propertyName.length===0)throw Error(`THREE.PropertyBinding: can not parse propertyName from trackName: `+e);return n}static findNode(e,t){if(t===void 0||t===``||t===`.`||t===-1||t===e.name||t===e.uuid)return e;if(e.skeleton){let n=e.skeleton.getBoneByName(t);if(n!==void 0)return n}if(e.children){let n=function(e){for(let r=0;r<e.length;r++){let i=e[r];if(i.name===t||i.uuid===t)return i;let a=n(i.children);if(a)return a}return null},r=n(e.children);if(r)return r}return null}_getValue_unavailable(){}_setValue_unavailable(){}_getValue_direct(e,t){e[t]=this.targetObject[this.propertyName]}_getValue_array(e,t){let n=this.resolvedProperty;for(let r=0,i=n.length;r!==i;++r)e[t++]=n[r]}_getValue_arrayElement(e,t){e[t]=this.resolvedProperty[this.propertyIndex]}_getValue_toArray(e,t){this.resolvedProperty.toArray(e,t)}_setValue_direct(e,t){this.targetObject[this.propertyName]=e[t]}_setValue_direct_setNeedsUpdate(e,t){this.targetObject[this.propertyName]=e[t],this.targetObject.needsUpdate=!0}_setValue_direct_setMatrixWorldNeedsUpdate(e,t){this.targetObject[this.propertyName]=e[t],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_array(e,t){let n=this.resolvedProperty;for(let r=0,i=n.length;r!==i;++r)n[r]=e[t++]}_setValue_array_setNeedsUpdate(e,t){let n=this.resolvedProperty;for(let r=0,i=n.length;r!==i;++r)n[r]=e[t++];this.targetObject.needsUpdate=!0}_setValue_array_setMatrixWorldNeedsUpdate(e,t){let n=this.resolvedProperty;for(let r=0,i=n.length;r!==i;++r)n[r]=e[t++];this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_arrayElement(e,t){this.resolvedProperty[this.propertyIndex]=e[t]}_setValue_arrayElement_setNeedsUpdate(e,t){this.resolvedProperty[this.propertyIndex]=e[t],this.targetObject.needsUpdate=!0}_setValue_arrayElement_setMatrixWorldNeedsUpdate(e,t){this.resolvedProperty[this.propertyIndex]=e[t],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_fromArray(e,t){this.resolvedProperty.fromArray(e,t)}_setValue_fromArray_setNeedsUpdate(e,t){this.resolvedProperty.fromArray(e,t),this.targetObject.needsUpdate=!0}_setValue_fromArray_setMatrixWorldNeedsUpdate(e,t){this.resolvedProperty.fromArray(e,t),this.targetObject.matrixWorldNeedsUpdate=!0}_getValue_unbound(e,t){this.bind(),this.getValue(e,t)}_setValue_unbound(e,t){this.bind(),this.setValue(e,t)}bind(){let t=this.node,n=this.parsedPath,r=n.objectName,i=n.propertyName,a=n.propertyIndex;if(t||(t=e.findNode(this.rootNode,n.nodeName),this.node=t),this.getValue=this._getValue_unavailable,this.setValue=this._setValue_unavailable,!t){J(`PropertyBinding: No target node found for track: `+this.path+`.`);return}if(r){let e=n.objectIndex;switch(r){case`materials`:if(!t.material){Y(`PropertyBinding: Can not bind to material as node does not have a material.`,this);return}if(!t.material.materials){Y(`PropertyBinding: Can not bind to material.materials as node.material does not have a materials array.`,this);return}t=t.material.materials;break;case`bones`:if(!t.skeleton){Y(`PropertyBinding: Can not bind to bones as node does not have a skeleton.`,this);return}t=t.skeleton.bones;for(let n=0;n<t.length;n++)if(t[n].name===e){e=n;break}break;case`map`:if(`map`in t){t=t.map;break}if(!t.material){Y(`PropertyBinding: Can not bind to material as node does not have a material.`,this);return}if(!t.material.map){Y(`PropertyBinding: Can not bind to material.map as node.material does not have a map.`,this);return}t=t.material.map;break;default:if(t[r]===void 0){Y(`PropertyBinding: Can not bind to objectName of node undefined.`,this);return}t=t[r]}if(e!==void 0){if(t[e]===void 0){Y(`PropertyBinding: Trying to bind to objectIndex of objectName, but is undefined.`,this,t);return}t=t[e]}}let o=t[i];if(o===void 0){let e=n.nodeName;Y(`PropertyBinding: Trying to update property for track: `+e+`.`+i+` but it wasn't found.`,t);return}let s=this.Versioning.None;this.targetObject=t,t.isMaterial===!0?s=this.Versioning.NeedsUpdate:t.isObject3D===!0&&(s=this.Versioning.MatrixWorldNeedsUpdate);let c=this.BindingType.Direct;if(a!==void 0){if(i===`morphTargetInfluences`){if(!t.geometry){Y(`PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.`,this);return}if(!t.geometry.morphAttributes){Y(`PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.morphAttributes.`,this);return}t.morphTargetDictionary[a]!==void 0&&(a=t.morphTargetDictionary[a])}c=this.BindingType.ArrayElement,this.resolvedProperty=o,this.propertyIndex=a}else o.fromArray!==void 0&&o.toArray!==void 0?(c=this.BindingType.HasFromToArray,this.resolvedProperty=o):Array.isArray(o)?(c=this.BindingType.EntireArray,this.resolvedProperty=o):this.propertyName=i;this.getValue=this.GetterByBindingType[c],this.setValue=this.SetterByBindingTypeAndVersioning[c][s]}unbind(){this.node=null,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}};Jg.Composite=qg,Jg.prototype.BindingType={Direct:0,EntireArray:1,ArrayElement:2,HasFromToArray:3},Jg.prototype.Versioning={None:0,NeedsUpdate:1,MatrixWorldNeedsUpdate:2},Jg.prototype.GetterByBindingType=[Jg.prototype._getValue_direct,Jg.prototype._getValue_array,Jg.prototype._getValue_arrayElement,Jg.prototype._getValue_toArray],Jg.prototype.SetterByBindingTypeAndVersioning=[[Jg.prototype._setValue_direct,Jg.prototype._setValue_direct_setNeedsUpdate,Jg.prototype._setValue_direct_setMatrixWorldNeedsUpdate],[Jg.prototype._setValue_array,Jg.prototype._setValue_array_setNeedsUpdate,Jg.prototype._setValue_array_setMatrixWorldNeedsUpdate],[Jg.prototype._setValue_arrayElement,Jg.prototype._setValue_arrayElement_setNeedsUpdate,Jg.prototype._setValue_arrayElement_setMatrixWorldNeedsUpdate],[Jg.prototype._setValue_fromArray,Jg.prototype._setValue_fromArray_setNeedsUpdate,Jg.prototype._setValue_fromArray_setMatrixWorldNeedsUpdate]];var Yg=new jf,Xg=class{constructor(e,t,n=0,r=1/0){this.ray=new vm(e,t),this.near=n,this.far=r,this.camera=null,this.layers=new Hf,this.params={Mesh:{},Line:{threshold:1},LOD:{},Points:{threshold:1},Sprite:{}}}set(e,t){this.ray.set(e,t)}setFromCamera(e,t){t.isPerspectiveCamera?(this.ray.origin.setFromMatrixPosition(t.matrixWorld),this.ray.direction.set(e.x,e.y,.5).unproject(t).sub(this.ray.origin).normalize(),this.camera=t):t.isOrthographicCamera?(this.ray.origin.set(e.x,e.y,t.projectionMatrix.elements[14]).unproject(t),this.ray.direction.set(0,0,-1).transformDirection(t.matrixWorld),this.camera=t):Y(`Raycaster: Unsupported camera type: `+t.type)}setFromXRController(e){return Yg.identity().extractRotation(e.matrixWorld),this.ray.origin.setFromMatrixPosition(e.matrixWorld),this.ray.direction.set(0,0,-1).applyMatrix4(Yg),this}intersectObject(e,t=!0,n=[]){return Qg(e,this,n,t),n.sort(Zg),n}intersectObjects(e,t=!0,n=[]){for(let r=0,i=e.length;r<i;r++)Qg(e[r],this,n,t);return n.sort(Zg),n}};function Zg(e,t){return e.distance-t.distance}function Qg(e,t,n,r){let i=!0;if(e.layers.test(t.layers)&&e.raycast(t,n)===!1&&(i=!1),i===!0&&r===!0){let r=e.children;for(let e=0,i=r.length;e<i;e++)Qg(r[e],t,n,!0)}}var $g=class{constructor(e=1,t=0,n=0){this.radius=e,this.phi=t,this.theta=n}set(e,t,n){return this.radius=e,this.phi=t,this.theta=n,this}copy(e){return this.radius=e.radius,this.phi=e.phi,this.theta=e.theta,this}makeSafe(){let e=1e-6;return this.phi=Ld(this.phi,e,Math.PI-e),this}setFromVector3(e){return this.setFromCartesianCoords(e.x,e.y,e.z)}setFromCartesianCoords(e,t,n){return this.radius=Math.sqrt(e*e+t*t+n*n),this.radius===0?(this.theta=0,this.phi=0):(this.theta=Math.atan2(e,n),this.phi=Math.acos(Ld(t/this.radius,-1,1))),this}clone(){return new this.constructor().copy(this)}};(class{static{this.prototype.isMatrix2=!0}constructor(e,t,n,r){this.elements=[1,0,0,1],e!==void 0&&this.set(e,t,n,r)}identity(){return this.set(1,0,0,1),this}fromArray(e,t=0){for(let n=0;n<4;n++)this.elements[n]=e[n+t];return this}set(e,t,n,r){let i=this.elements;return i[0]=e,i[2]=t,i[1]=n,i[3]=r,this}});var e_=class extends jd{constructor(e,t=null){super(),this.object=e,this.domElement=t,this.enabled=!0,this.state=-1,this.keys={},this.mouseButtons={LEFT:null,MIDDLE:null,RIGHT:null},this.touches={ONE:null,TWO:null}}connect(e){this.domElement!==null&&this.disconnect(),this.domElement=e}disconnect(){}dispose(){}update(){}};function t_(e,t,n,r){let i=n_(r);switch(n){case mu:return e*t;case yu:return e*t/i.components*i.byteLength;case bu:return e*t/i.components*i.byteLength;case xu:return e*t*2/i.components*i.byteLength;case Su:return e*t*2/i.components*i.byteLength;case hu:return e*t*3/i.components*i.byteLength;case gu:return e*t*4/i.components*i.byteLength;case Cu:return e*t*4/i.components*i.byteLength;case wu:case Tu:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*8;case Eu:case Du:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*16;case ku:case ju:return Math.max(e,16)*Math.max(t,8)/4;case Ou:case Au:return Math.max(e,8)*Math.max(t,8)/2;case Mu:case Nu:case Fu:case Iu:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*8;case Pu:case Lu:case Ru:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*16;case zu:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*16;case Bu:return Math.floor((e+4)/5)*Math.floor((t+3)/4)*16;case Vu:return Math.floor((e+4)/5)*Math.floor((t+4)/5)*16;case Hu:return Math.floor((e+5)/6)*Math.floor((t+4)/5)*16;case Uu:return Math.floor((e+5)/6)*Math.floor((t+5)/6)*16;case Wu:return Math.floor((e+7)/8)*Math.floor((t+4)/5)*16;case Gu:return Math.floor((e+7)/8)*Math.floor((t+5)/6)*16;case Ku:return Math.floor((e+7)/8)*Math.floor((t+7)/8)*16;case qu:return Math.floor((e+9)/10)*Math.floor((t+4)/5)*16;case Ju:return Math.floor((e+9)/10)*Math.floor((t+5)/6)*16;case Yu:return Math.floor((e+9)/10)*Math.floor((t+7)/8)*16;case Xu:return Math.floor((e+9)/10)*Math.floor((t+9)/10)*16;case Zu:return Math.floor((e+11)/12)*Math.floor((t+9)/10)*16;case Qu:return Math.floor((e+11)/12)*Math.floor((t+11)/12)*16;case $u:case ed:case td:return Math.ceil(e/4)*Math.ceil(t/4)*16;case nd:case rd:return Math.ceil(e/4)*Math.ceil(t/4)*8;case id:case ad:return Math.ceil(e/4)*Math.ceil(t/4)*16}throw Error(`Unable to determine texture byte length for ${n} format.`)}function n_(e){switch(e){case tu:case nu:return{byteLength:1,components:1};case iu:case ru:case cu:return{byteLength:2,components:1};case lu:case uu:return{byteLength:2,components:4};case ou:case au:case su:return{byteLength:4,components:1};case fu:case pu:return{byteLength:4,components:3}}throw Error(`THREE.TextureUtils: Unknown texture type ${e}.`)}typeof __THREE_DEVTOOLS__<`u`&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent(`register`,{detail:{revision:`187`}})),typeof window<`u`&&(window.__THREE__?J(`WARNING: Multiple instances of Three.js being imported.`):window.__THREE__=`187`);function r_(){let e=null,t=!1,n=null,r=null;function i(t,a){r=e.requestAnimationFrame(i),n(t,a)}return{start:function(){t!==!0&&n!==null&&e!==null&&(r=e.requestAnimationFrame(i),t=!0)},stop:function(){e!==null&&e.cancelAnimationFrame(r),t=!1},setAnimationLoop:function(e){n=e},setContext:function(t){e=t}}}function i_(e){let t=new WeakMap;function n(t,n){let r=t.array,i=t.usage,a=r.byteLength,o=e.createBuffer();e.bindBuffer(n,o),e.bufferData(n,r,i),t.onUploadCallback();let s;if(r instanceof Float32Array)s=e.FLOAT;else if(typeof Float16Array<`u`&&r instanceof Float16Array)s=e.HALF_FLOAT;else if(r instanceof Uint16Array)s=t.isFloat16BufferAttribute?e.HALF_FLOAT:e.UNSIGNED_SHORT;else if(r instanceof Int16Array)s=e.SHORT;else if(r instanceof Uint32Array)s=e.UNSIGNED_INT;else if(r instanceof Int32Array)s=e.INT;else if(r instanceof Int8Array)s=e.BYTE;else if(r instanceof Uint8Array)s=e.UNSIGNED_BYTE;else if(r instanceof Uint8ClampedArray)s=e.UNSIGNED_BYTE;else throw Error(`THREE.WebGLAttributes: Unsupported buffer data format: `+r);return{buffer:o,type:s,bytesPerElement:r.BYTES_PER_ELEMENT,version:t.version,size:a}}function r(t,n,r){let i=n.array,a=n.updateRanges;if(e.bindBuffer(r,t),a.length===0)e.bufferSubData(r,0,i);else{a.sort((e,t)=>e.start-t.start);let t=0;for(let e=1;e<a.length;e++){let n=a[t],r=a[e];r.start<=n.start+n.count+1?n.count=Math.max(n.count,r.start+r.count-n.start):(++t,a[t]=r)}a.length=t+1;for(let t=0,n=a.length;t<n;t++){let n=a[t];e.bufferSubData(r,n.start*i.BYTES_PER_ELEMENT,i,n.start,n.count)}n.clearUpdateRanges()}n.onUploadCallback()}function i(e){return e.isInterleavedBufferAttribute&&(e=e.data),t.get(e)}function a(n){n.isInterleavedBufferAttribute&&(n=n.data);let r=t.get(n);r&&(e.deleteBuffer(r.buffer),t.delete(n))}function o(e,i){if(e.isInterleavedBufferAttribute&&(e=e.data),e.isGLBufferAttribute){let n=t.get(e);(!n||n.version<e.version)&&t.set(e,{buffer:e.buffer,type:e.type,bytesPerElement:e.elementSize,version:e.version});return}let a=t.get(e);if(a===void 0)t.set(e,n(e,i));else if(a.version<e.version){if(a.size!==e.array.byteLength)throw Error(`THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.`);r(a.buffer,e,i),a.version=e.version}}return{get:i,remove:a,update:o}}var a_={alphahash_fragment:`#ifdef USE_ALPHAHASH
	if ( diffuseColor.a < getAlphaHashThreshold( vPosition ) ) discard;
#endif`,alphahash_pars_fragment:`#ifdef USE_ALPHAHASH
	const float ALPHA_HASH_SCALE = 0.05;
	float hash2D( vec2 value ) {
		return fract( 1.0e4 * sin( 17.0 * value.x + 0.1 * value.y ) * ( 0.1 + abs( sin( 13.0 * value.y + value.x ) ) ) );
	}
	float hash3D( vec3 value ) {
		return hash2D( vec2( hash2D( value.xy ), value.z ) );
	}
	float getAlphaHashThreshold( vec3 position ) {
		float maxDeriv = max(
			length( dFdx( position.xyz ) ),
			length( dFdy( position.xyz ) )
		);
		float pixScale = 1.0 / ( ALPHA_HASH_SCALE * maxDeriv );
		vec2 pixScales = vec2(
			exp2( floor( log2( pixScale ) ) ),
			exp2( ceil( log2( pixScale ) ) )
		);
		vec2 alpha = vec2(
			hash3D( floor( pixScales.x * position.xyz ) ),
			hash3D( floor( pixScales.y * position.xyz ) )
		);
		float lerpFactor = fract( log2( pixScale ) );
		float x = ( 1.0 - lerpFactor ) * alpha.x + lerpFactor * alpha.y;
		float a = min( lerpFactor, 1.0 - lerpFactor );
		vec3 cases = vec3(
			x * x / ( 2.0 * a * ( 1.0 - a ) ),
			( x - 0.5 * a ) / ( 1.0 - a ),
			1.0 - ( ( 1.0 - x ) * ( 1.0 - x ) / ( 2.0 * a * ( 1.0 - a ) ) )
		);
		float threshold = ( x < ( 1.0 - a ) )
			? ( ( x < a ) ? cases.x : cases.y )
			: cases.z;
		return clamp( threshold , 1.0e-6, 1.0 );
	}
#endif`,alphamap_fragment:`#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).g;
#endif`,alphamap_pars_fragment:`#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,alphatest_fragment:`#ifdef USE_ALPHATEST
	#ifdef ALPHA_TO_COVERAGE
	diffuseColor.a = smoothstep( alphaTest, alphaTest + fwidth( diffuseColor.a ), diffuseColor.a );
	if ( diffuseColor.a == 0.0 ) discard;
	#else
	if ( diffuseColor.a < alphaTest ) discard;
	#endif
#endif`,alphatest_pars_fragment:`#ifdef USE_ALPHATEST
	uniform float alphaTest;
#endif`,aomap_fragment:`#ifdef USE_AOMAP
	float ambientOcclusion = ( texture2D( aoMap, vAoMapUv ).r - 1.0 ) * aoMapIntensity + 1.0;
	reflectedLight.indirectDiffuse *= ambientOcclusion;
	#if defined( USE_CLEARCOAT ) 
		clearcoatSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_SHEEN ) 
		sheenSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD )
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		reflectedLight.indirectSpecular *= computeSpecularOcclusion( dotNV, ambientOcclusion, material.roughness );
	#endif
#endif`,aomap_pars_fragment:`#ifdef USE_AOMAP
	uniform sampler2D aoMap;
	uniform float aoMapIntensity;
#endif`,batching_pars_vertex:`#ifdef USE_BATCHING
	#if ! defined( GL_ANGLE_multi_draw )
	#define gl_DrawID _gl_DrawID
	uniform int _gl_DrawID;
	#endif
	uniform highp sampler2D batchingTexture;
	uniform highp usampler2D batchingIdTexture;
	mat4 getBatchingMatrix( const in float i ) {
		int size = textureSize( batchingTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( batchingTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( batchingTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( batchingTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( batchingTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
	float getIndirectIndex( const in int i ) {
		int size = textureSize( batchingIdTexture, 0 ).x;
		int x = i % size;
		int y = i / size;
		return float( texelFetch( batchingIdTexture, ivec2( x, y ), 0 ).r );
	}
#endif
#ifdef USE_BATCHING_COLOR
	uniform sampler2D batchingColorTexture;
	vec4 getBatchingColor( const in float i ) {
		int size = textureSize( batchingColorTexture, 0 ).x;
		int j = int( i );
		int x = j % size;
		int y = j / size;
		return texelFetch( batchingColorTexture, ivec2( x, y ), 0 );
	}
#endif`,batching_vertex:`#ifdef USE_BATCHING
	mat4 batchingMatrix = getBatchingMatrix( getIndirectIndex( gl_DrawID ) );
#endif`,begin_vertex:`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
	vPosition = vec3( position );
#endif`,beginnormal_vertex:`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
	vec3 objectTangent = vec3( tangent.xyz );
#endif`,bsdfs:`float G_BlinnPhong_Implicit( ) {
	return 0.25;
}
float D_BlinnPhong( const in float shininess, const in float dotNH ) {
	return RECIPROCAL_PI * ( shininess * 0.5 + 1.0 ) * pow( dotNH, shininess );
}
vec3 BRDF_BlinnPhong( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 specularColor, const in float shininess ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( specularColor, 1.0, dotVH );
	float G = G_BlinnPhong_Implicit( );
	float D = D_BlinnPhong( shininess, dotNH );
	return F * ( G * D );
} // validated`,iridescence_fragment:`#ifdef USE_IRIDESCENCE
	const mat3 XYZ_TO_REC709 = mat3(
		 3.2404542, -0.9692660,  0.0556434,
		-1.5371385,  1.8760108, -0.2040259,
		-0.4985314,  0.0415560,  1.0572252
	);
	vec3 Fresnel0ToIor( vec3 fresnel0 ) {
		vec3 sqrtF0 = sqrt( fresnel0 );
		return ( vec3( 1.0 ) + sqrtF0 ) / ( vec3( 1.0 ) - sqrtF0 );
	}
	vec3 IorToFresnel0( vec3 transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - vec3( incidentIor ) ) / ( transmittedIor + vec3( incidentIor ) ) );
	}
	float IorToFresnel0( float transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - incidentIor ) / ( transmittedIor + incidentIor ));
	}
	vec3 evalSensitivity( float OPD, vec3 shift ) {
		float phase = 2.0 * PI * OPD * 1.0e-9;
		vec3 val = vec3( 5.4856e-13, 4.4201e-13, 5.2481e-13 );
		vec3 pos = vec3( 1.6810e+06, 1.7953e+06, 2.2084e+06 );
		vec3 var = vec3( 4.3278e+09, 9.3046e+09, 6.6121e+09 );
		vec3 xyz = val * sqrt( 2.0 * PI * var ) * cos( pos * phase + shift ) * exp( - pow2( phase ) * var );
		xyz.x += 9.7470e-14 * sqrt( 2.0 * PI * 4.5282e+09 ) * cos( 2.2399e+06 * phase + shift[ 0 ] ) * exp( - 4.5282e+09 * pow2( phase ) );
		xyz /= 1.0685e-7;
		vec3 rgb = XYZ_TO_REC709 * xyz;
		return rgb;
	}
	vec3 evalIridescence( float outsideIOR, float eta2, float cosTheta1, float thinFilmThickness, vec3 baseF0 ) {
		vec3 I;
		float iridescenceIOR = mix( outsideIOR, eta2, smoothstep( 0.0, 0.03, thinFilmThickness ) );
		float sinTheta2Sq = pow2( outsideIOR / iridescenceIOR ) * ( 1.0 - pow2( cosTheta1 ) );
		float cosTheta2Sq = 1.0 - sinTheta2Sq;
		if ( cosTheta2Sq < 0.0 ) {
			return vec3( 1.0 );
		}
		float cosTheta2 = sqrt( cosTheta2Sq );
		float R0 = IorToFresnel0( iridescenceIOR, outsideIOR );
		float R12 = F_Schlick( R0, 1.0, cosTheta1 );
		float T121 = 1.0 - R12;
		float phi12 = 0.0;
		if ( iridescenceIOR < outsideIOR ) phi12 = PI;
		float phi21 = PI - phi12;
		vec3 baseIOR = Fresnel0ToIor( clamp( baseF0, 0.0, 0.9999 ) );		vec3 R1 = IorToFresnel0( baseIOR, iridescenceIOR );
		vec3 R23 = F_Schlick( R1, 1.0, cosTheta2 );
		vec3 phi23 = vec3( 0.0 );
		if ( baseIOR[ 0 ] < iridescenceIOR ) phi23[ 0 ] = PI;
		if ( baseIOR[ 1 ] < iridescenceIOR ) phi23[ 1 ] = PI;
		if ( baseIOR[ 2 ] < iridescenceIOR ) phi23[ 2 ] = PI;
		float OPD = 2.0 * iridescenceIOR * thinFilmThickness * cosTheta2;
		vec3 phi = vec3( phi21 ) + phi23;
		vec3 R123 = clamp( R12 * R23, 1e-5, 0.9999 );
		vec3 r123 = sqrt( R123 );
		vec3 Rs = pow2( T121 ) * R23 / ( vec3( 1.0 ) - R123 );
		vec3 C0 = R12 + Rs;
		I = C0;
		vec3 Cm = Rs - T121;
		for ( int m = 1; m <= 2; ++ m ) {
			Cm *= r123;
			vec3 Sm = 2.0 * evalSensitivity( float( m ) * OPD, float( m ) * phi );
			I += Cm * Sm;
		}
		return max( I, vec3( 0.0 ) );
	}
#endif`,bumpmap_pars_fragment:`#ifdef USE_BUMPMAP
	uniform sampler2D bumpMap;
	uniform float bumpScale;
	vec2 dHdxy_fwd() {
		vec2 dSTdx = dFdx( vBumpMapUv );
		vec2 dSTdy = dFdy( vBumpMapUv );
		float Hll = bumpScale * texture2D( bumpMap, vBumpMapUv ).x;
		float dBx = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdx ).x - Hll;
		float dBy = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdy ).x - Hll;
		return vec2( dBx, dBy );
	}
	vec3 perturbNormalArb( vec3 surf_pos, vec3 surf_norm, vec2 dHdxy, float faceDirection ) {
		vec3 vSigmaX = normalize( dFdx( surf_pos.xyz ) );
		vec3 vSigmaY = normalize( dFdy( surf_pos.xyz ) );
		vec3 vN = surf_norm;
		vec3 R1 = cross( vSigmaY, vN );
		vec3 R2 = cross( vN, vSigmaX );
		float fDet = dot( vSigmaX, R1 ) * faceDirection;
		vec3 vGrad = sign( fDet ) * ( dHdxy.x * R1 + dHdxy.y * R2 );
		return normalize( abs( fDet ) * surf_norm - vGrad );
	}
#endif`,clipping_planes_fragment:`#if NUM_CLIPPING_PLANES > 0
	vec4 plane;
	#ifdef ALPHA_TO_COVERAGE
		float distanceToPlane, distanceGradient;
		float clipOpacity = 1.0;
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
			distanceGradient = fwidth( distanceToPlane ) / 2.0;
			clipOpacity *= smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			if ( clipOpacity == 0.0 ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			float unionClipOpacity = 1.0;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
				distanceGradient = fwidth( distanceToPlane ) / 2.0;
				unionClipOpacity *= 1.0 - smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			}
			#pragma unroll_loop_end
			clipOpacity *= 1.0 - unionClipOpacity;
		#endif
		diffuseColor.a *= clipOpacity;
		if ( diffuseColor.a == 0.0 ) discard;
	#else
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			if ( dot( vClipPosition, plane.xyz ) > plane.w ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			bool clipped = true;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				clipped = ( dot( vClipPosition, plane.xyz ) > plane.w ) && clipped;
			}
			#pragma unroll_loop_end
			if ( clipped ) discard;
		#endif
	#endif
#endif`,clipping_planes_pars_fragment:`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
	uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,clipping_planes_pars_vertex:`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
#endif`,clipping_planes_vertex:`#if NUM_CLIPPING_PLANES > 0
	vClipPosition = - mvPosition.xyz;
#endif`,color_fragment:`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	diffuseColor *= vColor;
#endif`,color_pars_fragment:`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#endif`,color_pars_vertex:`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	varying vec4 vColor;
#endif`,color_vertex:`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	vColor = vec4( 1.0 );
#endif
#ifdef USE_COLOR_ALPHA
	vColor *= color;
#elif defined( USE_COLOR )
	vColor.rgb *= color;
#endif
#ifdef USE_INSTANCING_COLOR
	vColor.rgb *= instanceColor.rgb;
#endif
#ifdef USE_BATCHING_COLOR
	vColor *= getBatchingColor( getIndirectIndex( gl_DrawID ) );
#endif`,common:`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2( const in float x ) { return x*x; }
vec3 pow2( const in vec3 x ) { return x*x; }
float pow3( const in float x ) { return x*x*x; }
float pow4( const in float x ) { float x2 = x*x; return x2*x2; }
float max3( const in vec3 v ) { return max( max( v.x, v.y ), v.z ); }
float average( const in vec3 v ) { return dot( v, vec3( 0.3333333 ) ); }
highp float rand( const in vec2 uv ) {
	const highp float a = 12.9898, b = 78.233, c = 43758.5453;
	highp float dt = dot( uv.xy, vec2( a,b ) ), sn = mod( dt, PI );
	return fract( sin( sn ) * c );
}
#ifdef HIGH_PRECISION
	float precisionSafeLength( vec3 v ) { return length( v ); }
#else
	float precisionSafeLength( vec3 v ) {
		float maxComponent = max3( abs( v ) );
		return length( v / maxComponent ) * maxComponent;
	}
#endif
struct IncidentLight {
	vec3 color;
	vec3 direction;
	bool visible;
};
struct ReflectedLight {
	vec3 directDiffuse;
	vec3 directSpecular;
	vec3 indirectDiffuse;
	vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
	varying vec3 vPosition;
#endif
vec3 transformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );
}
#define inverseTransformDirection transformDirectionByInverseViewMatrix
vec3 transformNormalByInverseViewMatrix( in vec3 normal, in mat4 viewMatrix ) {
	return normalize( ( vec4( normal, 0.0 ) * viewMatrix ).xyz );
}
vec3 transformDirectionByInverseViewMatrix( in vec3 dir, in mat4 viewMatrix ) {
	return normalize( ( vec4( dir, 0.0 ) * viewMatrix ).xyz );
}
bool isPerspectiveMatrix( mat4 m ) {
	return m[ 2 ][ 3 ] == - 1.0;
}
vec2 equirectUv( in vec3 dir ) {
	float u = atan( dir.z, dir.x ) * RECIPROCAL_PI2 + 0.5;
	float v = asin( clamp( dir.y, - 1.0, 1.0 ) ) * RECIPROCAL_PI + 0.5;
	return vec2( u, v );
}
vec3 BRDF_Lambert( const in vec3 diffuseColor ) {
	return RECIPROCAL_PI * diffuseColor;
}
vec3 F_Schlick( const in vec3 f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
}
float F_Schlick( const in float f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
} // validated`,defaultnormal_vertex:`vec3 transformedNormal = objectNormal;
#ifdef USE_TANGENT
	vec3 transformedTangent = objectTangent;
#endif
#ifdef USE_BATCHING
	mat3 bm = mat3( batchingMatrix );
	transformedNormal /= vec3( dot( bm[ 0 ], bm[ 0 ] ), dot( bm[ 1 ], bm[ 1 ] ), dot( bm[ 2 ], bm[ 2 ] ) );
	transformedNormal = bm * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = bm * transformedTangent;
	#endif
#endif
#ifdef USE_INSTANCING
	mat3 im = mat3( instanceMatrix );
	transformedNormal /= vec3( dot( im[ 0 ], im[ 0 ] ), dot( im[ 1 ], im[ 1 ] ), dot( im[ 2 ], im[ 2 ] ) );
	transformedNormal = im * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = im * transformedTangent;
	#endif
#endif
transformedNormal = normalMatrix * transformedNormal;
#ifdef FLIP_SIDED
	transformedNormal = - transformedNormal;
#endif
#ifdef USE_TANGENT
	transformedTangent = ( modelViewMatrix * vec4( transformedTangent, 0.0 ) ).xyz;
#endif`,displacementmap_pars_vertex:`#ifdef USE_DISPLACEMENTMAP
	uniform sampler2D displacementMap;
	uniform float displacementScale;
	uniform float displacementBias;
#endif`,displacementmap_vertex:`#ifdef USE_DISPLACEMENTMAP
	transformed += normalize( objectNormal ) * ( texture2D( displacementMap, vDisplacementMapUv ).x * displacementScale + displacementBias );
#endif`,emissivemap_fragment:`#ifdef USE_EMISSIVEMAP
	vec4 emissiveColor = texture2D( emissiveMap, vEmissiveMapUv );
	#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
		emissiveColor = sRGBTransferEOTF( emissiveColor );
	#endif
	totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,emissivemap_pars_fragment:`#ifdef USE_EMISSIVEMAP
	uniform sampler2D emissiveMap;
#endif`,colorspace_fragment:`gl_FragColor = linearToOutputTexel( gl_FragColor );`,colorspace_pars_fragment:`vec4 LinearTransferOETF( in vec4 value ) {
	return value;
}
vec4 sRGBTransferEOTF( in vec4 value ) {
	return vec4( mix( pow( value.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), value.rgb * 0.0773993808, vec3( lessThanEqual( value.rgb, vec3( 0.04045 ) ) ) ), value.a );
}
vec4 sRGBTransferOETF( in vec4 value ) {
	return vec4( mix( pow( value.rgb, vec3( 0.41666 ) ) * 1.055 - vec3( 0.055 ), value.rgb * 12.92, vec3( lessThanEqual( value.rgb, vec3( 0.0031308 ) ) ) ), value.a );
}`,envmap_fragment:`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vec3 cameraToFrag;
		if ( isOrthographic ) {
			cameraToFrag = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToFrag = normalize( vWorldPosition - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vec3 reflectVec = reflect( cameraToFrag, worldNormal );
		#else
			vec3 reflectVec = refract( cameraToFrag, worldNormal, refractionRatio );
		#endif
	#else
		vec3 reflectVec = vReflect;
	#endif
	#ifdef ENVMAP_TYPE_CUBE
		vec4 envColor = textureCube( envMap, envMapRotation * reflectVec );
		#ifdef ENVMAP_BLENDING_MULTIPLY
			outgoingLight = mix( outgoingLight, outgoingLight * envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_MIX )
			outgoingLight = mix( outgoingLight, envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_ADD )
			outgoingLight += envColor.xyz * specularStrength * reflectivity;
		#endif
	#endif
#endif`,envmap_common_pars_fragment:`#ifdef USE_ENVMAP
	uniform float envMapIntensity;
	uniform mat3 envMapRotation;
	uniform samplerCube envMap;
	#ifdef ENVMAP_TYPE_PMREM
		float roughnessToMip( const in float roughness ) {
			float r = clamp( roughness, 0.0, 1.0 );
			return ENVMAP_MAX_LOD * r * ( 2.0 - r );
		}
	#endif
#endif`,envmap_pars_fragment:`#ifdef USE_ENVMAP
	uniform float reflectivity;
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		varying vec3 vWorldPosition;
		uniform float refractionRatio;
	#else
		varying vec3 vReflect;
	#endif
#endif`,envmap_pars_vertex:`#ifdef USE_ENVMAP
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		
		varying vec3 vWorldPosition;
	#else
		varying vec3 vReflect;
		uniform float refractionRatio;
	#endif
#endif`,envmap_physical_pars_fragment:`#ifdef USE_ENVMAP
	vec3 getIBLIrradiance( const in vec3 normal ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * worldNormal, ENVMAP_MAX_LOD );
			return PI * envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	vec3 getIBLRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 reflectVec = reflect( - viewDir, normal );
			reflectVec = normalize( mix( reflectVec, normal, pow4( roughness ) ) );
			reflectVec = transformDirectionByInverseViewMatrix( reflectVec, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * reflectVec, roughnessToMip( roughness ) );
			return envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	#ifdef USE_RETROREFLECTION
		vec3 getIBLRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 retroVec = normalize( mix( viewDir, normal, pow4( roughness ) ) );
				retroVec = transformDirectionByInverseViewMatrix( retroVec, viewMatrix );
				vec4 envMapColor = textureLod( envMap, envMapRotation * retroVec, roughnessToMip( roughness ) );
				return envMapColor.rgb * envMapIntensity;
			#else
				return vec3( 0.0 );
			#endif
		}
	#endif
	#ifdef USE_ANISOTROPY
		vec3 getIBLAnisotropyRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 bentNormal = cross( bitangent, viewDir );
				bentNormal = normalize( cross( bentNormal, bitangent ) );
				bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
				return getIBLRadiance( viewDir, bentNormal, roughness );
			#else
				return vec3( 0.0 );
			#endif
		}
		#ifdef USE_RETROREFLECTION
			vec3 getIBLAnisotropyRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
				#ifdef ENVMAP_TYPE_PMREM
					vec3 bentNormal = cross( bitangent, viewDir );
					bentNormal = normalize( cross( bentNormal, bitangent ) );
					bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
					return getIBLRetroRadiance( viewDir, bentNormal, roughness );
				#else
					return vec3( 0.0 );
				#endif
			}
		#endif
	#endif
#endif`,envmap_vertex:`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vWorldPosition = worldPosition.xyz;
	#else
		vec3 cameraToVertex;
		if ( isOrthographic ) {
			cameraToVertex = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToVertex = normalize( worldPosition.xyz - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vReflect = reflect( cameraToVertex, worldNormal );
		#else
			vReflect = refract( cameraToVertex, worldNormal, refractionRatio );
		#endif
	#endif
#endif`,fog_vertex:`#ifdef USE_FOG
	vFogDepth = - mvPosition.z;
#endif`,fog_pars_vertex:`#ifdef USE_FOG
	varying float vFogDepth;
#endif`,fog_fragment:`#ifdef USE_FOG
	#ifdef FOG_EXP2
		float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );
	#else
		float fogFactor = smoothstep( fogNear, fogFar, vFogDepth );
	#endif
	gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogFactor );
#endif`,fog_pars_fragment:`#ifdef USE_FOG
	uniform vec3 fogColor;
	varying float vFogDepth;
	#ifdef FOG_EXP2
		uniform float fogDensity;
	#else
		uniform float fogNear;
		uniform float fogFar;
	#endif
#endif`,gradientmap_pars_fragment:`#ifdef USE_GRADIENTMAP
	uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance( vec3 normal, vec3 lightDirection ) {
	float dotNL = dot( normal, lightDirection );
	vec2 coord = vec2( dotNL * 0.5 + 0.5, 0.0 );
	#ifdef USE_GRADIENTMAP
		return vec3( texture2D( gradientMap, coord ).r );
	#else
		vec2 fw = fwidth( coord ) * 0.5;
		return mix( vec3( 0.7 ), vec3( 1.0 ), smoothstep( 0.7 - fw.x, 0.7 + fw.x, coord.x ) );
	#endif
}`,lightmap_pars_fragment:`#ifdef USE_LIGHTMAP
	uniform sampler2D lightMap;
	uniform float lightMapIntensity;
#endif`,lights_lambert_fragment:`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,lights_lambert_pars_fragment:`varying vec3 vViewPosition;
struct LambertMaterial {
	vec3 diffuseColor;
	float specularStrength;
};
void RE_Direct_Lambert( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Lambert( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Lambert
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,lights_pars_begin:`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
	uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt( in vec3 normal, in vec3 shCoefficients[ 9 ] ) {
	float x = normal.x, y = normal.y, z = normal.z;
	vec3 result = shCoefficients[ 0 ] * 0.886227;
	result += shCoefficients[ 1 ] * 2.0 * 0.511664 * y;
	result += shCoefficients[ 2 ] * 2.0 * 0.511664 * z;
	result += shCoefficients[ 3 ] * 2.0 * 0.511664 * x;
	result += shCoefficients[ 4 ] * 2.0 * 0.429043 * x * y;
	result += shCoefficients[ 5 ] * 2.0 * 0.429043 * y * z;
	result += shCoefficients[ 6 ] * ( 0.743125 * z * z - 0.247708 );
	result += shCoefficients[ 7 ] * 2.0 * 0.429043 * x * z;
	result += shCoefficients[ 8 ] * 0.429043 * ( x * x - y * y );
	return result;
}
vec3 getLightProbeIrradiance( const in vec3 lightProbe[ 9 ], const in vec3 normal ) {
	vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec3 irradiance = shGetIrradianceAt( worldNormal, lightProbe );
	return irradiance;
}
vec3 getAmbientLightIrradiance( const in vec3 ambientLightColor ) {
	vec3 irradiance = ambientLightColor;
	return irradiance;
}
float getDistanceAttenuation( const in float lightDistance, const in float cutoffDistance, const in float decayExponent ) {
	float distanceFalloff = 1.0 / max( pow( lightDistance, decayExponent ), 0.01 );
	if ( cutoffDistance > 0.0 ) {
		distanceFalloff *= pow2( saturate( 1.0 - pow4( lightDistance / cutoffDistance ) ) );
	}
	return distanceFalloff;
}
float getSpotAttenuation( const in float coneCosine, const in float penumbraCosine, const in float angleCosine ) {
	return smoothstep( coneCosine, penumbraCosine, angleCosine );
}
#if NUM_SUN_LIGHTS > 0
	struct SunLight {
		vec3 direction;
		vec3 color;
	};
	uniform SunLight sunLights[ NUM_SUN_LIGHTS ];
	void getSunLightInfo( const in SunLight sunLight, out IncidentLight light ) {
		light.color = sunLight.color;
		light.direction = sunLight.direction;
		light.visible = true;
	}
#endif
#if NUM_DIR_LIGHTS > 0
	struct DirectionalLight {
		vec3 direction;
		vec3 color;
	};
	uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
	void getDirectionalLightInfo( const in DirectionalLight directionalLight, out IncidentLight light ) {
		light.color = directionalLight.color;
		light.direction = directionalLight.direction;
		light.visible = true;
	}
#endif
#if NUM_POINT_LIGHTS > 0
	struct PointLight {
		vec3 position;
		vec3 color;
		float distance;
		float decay;
	};
	uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
	void getPointLightInfo( const in PointLight pointLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = pointLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float lightDistance = length( lVector );
		light.color = pointLight.color;
		light.color *= getDistanceAttenuation( lightDistance, pointLight.distance, pointLight.decay );
		light.visible = ( light.color != vec3( 0.0 ) );
	}
#endif
#if NUM_SPOT_LIGHTS > 0
	struct SpotLight {
		vec3 position;
		vec3 direction;
		vec3 color;
		float distance;
		float decay;
		float coneCos;
		float penumbraCos;
	};
	uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
	void getSpotLightInfo( const in SpotLight spotLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = spotLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float angleCos = dot( light.direction, spotLight.direction );
		float spotAttenuation = getSpotAttenuation( spotLight.coneCos, spotLight.penumbraCos, angleCos );
		if ( spotAttenuation > 0.0 ) {
			float lightDistance = length( lVector );
			light.color = spotLight.color * spotAttenuation;
			light.color *= getDistanceAttenuation( lightDistance, spotLight.distance, spotLight.decay );
			light.visible = ( light.color != vec3( 0.0 ) );
		} else {
			light.color = vec3( 0.0 );
			light.visible = false;
		}
	}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
	struct RectAreaLight {
		vec3 color;
		vec3 position;
		vec3 halfWidth;
		vec3 halfHeight;
	};
	uniform sampler2D ltc_1;	uniform sampler2D ltc_2;
	uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
	struct HemisphereLight {
		vec3 direction;
		vec3 skyColor;
		vec3 groundColor;
	};
	uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
	vec3 getHemisphereLightIrradiance( const in HemisphereLight hemiLight, const in vec3 normal ) {
		float dotNL = dot( normal, hemiLight.direction );
		float hemiDiffuseWeight = 0.5 * dotNL + 0.5;
		vec3 irradiance = mix( hemiLight.groundColor, hemiLight.skyColor, hemiDiffuseWeight );
		return irradiance;
	}
#endif
#include <lightprobes_pars_fragment>`,lights_toon_fragment:`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,lights_toon_pars_fragment:`varying vec3 vViewPosition;
struct ToonMaterial {
	vec3 diffuseColor;
};
void RE_Direct_Toon( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 irradiance = getGradientIrradiance( geometryNormal, directLight.direction ) * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Toon( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Toon
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,lights_phong_fragment:`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,lights_phong_pars_fragment:`varying vec3 vViewPosition;
struct BlinnPhongMaterial {
	vec3 diffuseColor;
	vec3 specularColor;
	float specularShininess;
	float specularStrength;
};
void RE_Direct_BlinnPhong( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
	reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong( directLight.direction, geometryViewDir, geometryNormal, material.specularColor, material.specularShininess ) * material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_BlinnPhong
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,lights_physical_fragment:`PhysicalMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.diffuseContribution = diffuseColor.rgb * ( 1.0 - metalnessFactor );
material.metalness = metalnessFactor;
vec3 dxy = max( abs( dFdx( nonPerturbedNormal ) ), abs( dFdy( nonPerturbedNormal ) ) );
float geometryRoughness = max( max( dxy.x, dxy.y ), dxy.z );
material.roughness = max( roughnessFactor, 0.045 );
material.roughness += geometryRoughness;
material.roughness = min( material.roughness, 1.0 );
#ifdef USE_DIFFUSE_ROUGHNESS
	float diffuseRoughnessFactor = diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		diffuseRoughnessFactor *= texture2D( diffuseRoughnessMap, vDiffuseRoughnessMapUv ).r;
	#endif
	material.diffuseRoughness = saturate( diffuseRoughnessFactor );
#endif
#ifdef IOR
	material.ior = ior;
	#ifdef USE_SPECULAR
		float specularIntensityFactor = specularIntensity;
		vec3 specularColorFactor = specularColor;
		#ifdef USE_SPECULAR_COLORMAP
			specularColorFactor *= texture2D( specularColorMap, vSpecularColorMapUv ).rgb;
		#endif
		#ifdef USE_SPECULAR_INTENSITYMAP
			specularIntensityFactor *= texture2D( specularIntensityMap, vSpecularIntensityMapUv ).a;
		#endif
		material.specularF90 = mix( specularIntensityFactor, 1.0, metalnessFactor );
	#else
		float specularIntensityFactor = 1.0;
		vec3 specularColorFactor = vec3( 1.0 );
		material.specularF90 = 1.0;
	#endif
	material.specularColor = min( pow2( ( material.ior - 1.0 ) / ( material.ior + 1.0 ) ) * specularColorFactor, vec3( 1.0 ) ) * specularIntensityFactor;
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
#else
	material.specularColor = vec3( 0.04 );
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
	material.specularF90 = 1.0;
#endif
#ifdef USE_CLEARCOAT
	material.clearcoat = clearcoat;
	material.clearcoatRoughness = clearcoatRoughness;
	material.clearcoatF0 = vec3( 0.04 );
	material.clearcoatF90 = 1.0;
	#ifdef USE_CLEARCOATMAP
		material.clearcoat *= texture2D( clearcoatMap, vClearcoatMapUv ).x;
	#endif
	#ifdef USE_CLEARCOAT_ROUGHNESSMAP
		material.clearcoatRoughness *= texture2D( clearcoatRoughnessMap, vClearcoatRoughnessMapUv ).y;
	#endif
	material.clearcoat = saturate( material.clearcoat );	material.clearcoatRoughness = max( material.clearcoatRoughness, 0.045 );
	material.clearcoatRoughness += geometryRoughness;
	material.clearcoatRoughness = min( material.clearcoatRoughness, 1.0 );
#endif
#ifdef USE_DISPERSION
	material.dispersion = dispersion;
#endif
#ifdef USE_RETROREFLECTION
	material.retroreflectivity = retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	material.iridescence = iridescence;
	material.iridescenceIOR = iridescenceIOR;
	#ifdef USE_IRIDESCENCEMAP
		material.iridescence *= texture2D( iridescenceMap, vIridescenceMapUv ).r;
	#endif
	#ifdef USE_IRIDESCENCE_THICKNESSMAP
		material.iridescenceThickness = (iridescenceThicknessMaximum - iridescenceThicknessMinimum) * texture2D( iridescenceThicknessMap, vIridescenceThicknessMapUv ).g + iridescenceThicknessMinimum;
	#else
		material.iridescenceThickness = iridescenceThicknessMaximum;
	#endif
#endif
#ifdef USE_SHEEN
	material.sheenColor = sheenColor;
	#ifdef USE_SHEEN_COLORMAP
		material.sheenColor *= texture2D( sheenColorMap, vSheenColorMapUv ).rgb;
	#endif
	material.sheenRoughness = clamp( sheenRoughness, 0.0001, 1.0 );
	#ifdef USE_SHEEN_ROUGHNESSMAP
		material.sheenRoughness *= texture2D( sheenRoughnessMap, vSheenRoughnessMapUv ).a;
	#endif
#endif
#ifdef USE_ANISOTROPY
	#ifdef USE_ANISOTROPYMAP
		mat2 anisotropyMat = mat2( anisotropyVector.x, anisotropyVector.y, - anisotropyVector.y, anisotropyVector.x );
		vec3 anisotropyPolar = texture2D( anisotropyMap, vAnisotropyMapUv ).rgb;
		vec2 anisotropyV = anisotropyMat * normalize( 2.0 * anisotropyPolar.rg - vec2( 1.0 ) ) * anisotropyPolar.b;
	#else
		vec2 anisotropyV = anisotropyVector;
	#endif
	material.anisotropy = length( anisotropyV );
	if( material.anisotropy == 0.0 ) {
		anisotropyV = vec2( 1.0, 0.0 );
	} else {
		anisotropyV /= material.anisotropy;
		material.anisotropy = saturate( material.anisotropy );
	}
	material.alphaT = mix( pow2( material.roughness ), 1.0, pow2( material.anisotropy ) );
	material.anisotropyT = tbn[ 0 ] * anisotropyV.x + tbn[ 1 ] * anisotropyV.y;
	material.anisotropyB = tbn[ 1 ] * anisotropyV.x - tbn[ 0 ] * anisotropyV.y;
#endif`,lights_physical_pars_fragment:`uniform sampler2D dfgLUT;
struct PhysicalMaterial {
	vec3 diffuseColor;
	vec3 diffuseContribution;
	vec3 specularColor;
	vec3 specularColorBlended;
	float roughness;
	float metalness;
	float specularF90;
	float dispersion;
	vec2 dfg;
	vec3 multiScatteringCompensation;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float diffuseRoughness;
	#endif
	#ifdef USE_RETROREFLECTION
		float retroreflectivity;
	#endif
	#ifdef USE_CLEARCOAT
		float clearcoat;
		float clearcoatRoughness;
		vec3 clearcoatF0;
		float clearcoatF90;
	#endif
	#ifdef USE_IRIDESCENCE
		float iridescence;
		float iridescenceIOR;
		float iridescenceThickness;
		vec3 iridescenceFresnel;
		vec3 iridescenceF0Dielectric;
		vec3 iridescenceF0Metallic;
	#endif
	#ifdef USE_SHEEN
		vec3 sheenColor;
		float sheenRoughness;
	#endif
	#ifdef IOR
		float ior;
	#endif
	#ifdef USE_TRANSMISSION
		float transmission;
		float transmissionAlpha;
		float thickness;
		float attenuationDistance;
		vec3 attenuationColor;
	#endif
	#ifdef USE_ANISOTROPY
		float anisotropy;
		float alphaT;
		vec3 anisotropyT;
		vec3 anisotropyB;
	#endif
};
vec3 clearcoatSpecularDirect = vec3( 0.0 );
vec3 clearcoatSpecularIndirect = vec3( 0.0 );
vec3 sheenSpecularDirect = vec3( 0.0 );
vec3 sheenSpecularIndirect = vec3(0.0 );
vec3 Schlick_to_F0( const in vec3 f, const in float f90, const in float dotVH ) {
    float x = clamp( 1.0 - dotVH, 0.0, 1.0 );
    float x2 = x * x;
    float x5 = clamp( x * x2 * x2, 0.0, 0.9999 );
    return ( f - vec3( f90 ) * x5 ) / ( 1.0 - x5 );
}
#ifdef USE_DIFFUSE_ROUGHNESS
	const float EON_EPSILON = 1e-7;
	float FON_DirectionalAlbedo( const in float mu, const in float roughness, const in float A ) {
		float muComp = 1.0 - mu;
		float gOverPi = muComp * ( 0.0571085289 + muComp * ( 0.491881867 + muComp * ( - 0.332181442 + muComp * 0.0714429953 ) ) );
		return A * ( 1.0 + roughness * gOverPi );
	}
	vec3 BRDF_EON( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 diffuseColor, const in float roughness ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return BRDF_Lambert( rho );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float s = dot( lightDir, viewDir ) - dotNL * dotNV;
		float sOverT = ( s > 0.0 ) ? s / max( max( dotNL, dotNV ), EON_EPSILON ) : s;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		vec3 singleScatter = rho * RECIPROCAL_PI * A * ( 1.0 + roughness * sOverT );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		float albedoV = FON_DirectionalAlbedo( dotNV, roughness, A );
		float albedoL = FON_DirectionalAlbedo( dotNL, roughness, A );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		vec3 multiScatter = rhoMultiScatter * RECIPROCAL_PI
			* max( EON_EPSILON, 1.0 - albedoV )
			* max( EON_EPSILON, 1.0 - albedoL )
			/ max( EON_EPSILON, 1.0 - averageAlbedo );
		return singleScatter + multiScatter;
	}
	vec3 EON_DirectionalAlbedo( const in vec3 diffuseColor, const in float roughness, const in float dotNV ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return rho;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		float directionalAlbedo = FON_DirectionalAlbedo( dotNV, roughness, A );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		return rho * directionalAlbedo + rhoMultiScatter * ( 1.0 - directionalAlbedo );
	}
#endif
float V_GGX_SmithCorrelated( const in float alpha, const in float dotNL, const in float dotNV ) {
	float a2 = pow2( alpha );
	float gv = dotNL * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNV ) );
	float gl = dotNV * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNL ) );
	return 0.5 / max( gv + gl, EPSILON );
}
float D_GGX( const in float alpha, const in float dotNH ) {
	float a2 = pow2( alpha );
	float denom = pow2( dotNH ) * ( a2 - 1.0 ) + 1.0;
	return RECIPROCAL_PI * a2 / pow2( denom );
}
#ifdef USE_ANISOTROPY
	float V_GGX_SmithCorrelated_Anisotropic( const in float alphaT, const in float alphaB, const in float dotTV, const in float dotBV, const in float dotTL, const in float dotBL, const in float dotNV, const in float dotNL ) {
		float gv = dotNL * length( vec3( alphaT * dotTV, alphaB * dotBV, dotNV ) );
		float gl = dotNV * length( vec3( alphaT * dotTL, alphaB * dotBL, dotNL ) );
		return 0.5 / max( gv + gl, EPSILON );
	}
	float D_GGX_Anisotropic( const in float alphaT, const in float alphaB, const in float dotNH, const in float dotTH, const in float dotBH ) {
		float a2 = alphaT * alphaB;
		highp vec3 v = vec3( alphaB * dotTH, alphaT * dotBH, a2 * dotNH );
		highp float v2 = dot( v, v );
		float w2 = a2 / v2;
		return RECIPROCAL_PI * a2 * pow2 ( w2 );
	}
#endif
#ifdef USE_CLEARCOAT
	vec3 BRDF_GGX_Clearcoat( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material) {
		vec3 f0 = material.clearcoatF0;
		float f90 = material.clearcoatF90;
		float roughness = max( material.clearcoatRoughness, 0.045 );
		float alpha = pow2( roughness );
		vec3 halfDir = normalize( lightDir + viewDir );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float dotNH = saturate( dot( normal, halfDir ) );
		float dotVH = saturate( dot( viewDir, halfDir ) );
		vec3 F = F_Schlick( f0, f90, dotVH );
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
		return F * ( V * D );
	}
#endif
vec3 BRDF_GGX( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material ) {
	vec3 f0 = material.specularColorBlended;
	float f90 = material.specularF90;
	float roughness = max( material.roughness, 0.045 );
	float alpha = pow2( roughness );
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( f0, f90, dotVH );
	#ifdef USE_IRIDESCENCE
		F = mix( F, material.iridescenceFresnel, material.iridescence );
	#endif
	#ifdef USE_ANISOTROPY
		float dotTL = dot( material.anisotropyT, lightDir );
		float dotTV = dot( material.anisotropyT, viewDir );
		float dotTH = dot( material.anisotropyT, halfDir );
		float dotBL = dot( material.anisotropyB, lightDir );
		float dotBV = dot( material.anisotropyB, viewDir );
		float dotBH = dot( material.anisotropyB, halfDir );
		float alphaT = max( material.alphaT, alpha );
		float V = V_GGX_SmithCorrelated_Anisotropic( alphaT, alpha, dotTV, dotBV, dotTL, dotBL, dotNV, dotNL );
		float D = D_GGX_Anisotropic( alphaT, alpha, dotNH, dotTH, dotBH );
	#else
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
	#endif
	return F * ( V * D );
}
vec2 LTC_Uv( const in vec3 N, const in vec3 V, const in float roughness ) {
	const float LUT_SIZE = 64.0;
	const float LUT_SCALE = ( LUT_SIZE - 1.0 ) / LUT_SIZE;
	const float LUT_BIAS = 0.5 / LUT_SIZE;
	float dotNV = saturate( dot( N, V ) );
	vec2 uv = vec2( roughness, sqrt( 1.0 - dotNV ) );
	uv = uv * LUT_SCALE + LUT_BIAS;
	return uv;
}
float LTC_ClippedSphereFormFactor( const in vec3 f ) {
	float l = length( f );
	return max( ( l * l + f.z ) / ( l + 1.0 ), 0.0 );
}
vec3 LTC_EdgeVectorFormFactor( const in vec3 v1, const in vec3 v2 ) {
	float x = dot( v1, v2 );
	float y = abs( x );
	float a = 0.8543985 + ( 0.4965155 + 0.0145206 * y ) * y;
	float b = 3.4175940 + ( 4.1616724 + y ) * y;
	float v = a / b;
	float theta_sintheta = ( x > 0.0 ) ? v : 0.5 * inversesqrt( max( 1.0 - x * x, 1e-7 ) ) - v;
	return cross( v1, v2 ) * theta_sintheta;
}
vec3 LTC_Evaluate( const in vec3 N, const in vec3 V, const in vec3 P, const in mat3 mInv, const in vec3 rectCoords[ 4 ] ) {
	vec3 v1 = rectCoords[ 1 ] - rectCoords[ 0 ];
	vec3 v2 = rectCoords[ 3 ] - rectCoords[ 0 ];
	vec3 lightNormal = cross( v1, v2 );
	if( dot( lightNormal, P - rectCoords[ 0 ] ) < 0.0 ) return vec3( 0.0 );
	vec3 T1, T2;
	T1 = normalize( V - N * dot( V, N ) );
	T2 = - cross( N, T1 );
	mat3 mat = mInv * transpose( mat3( T1, T2, N ) );
	vec3 coords[ 4 ];
	coords[ 0 ] = mat * ( rectCoords[ 0 ] - P );
	coords[ 1 ] = mat * ( rectCoords[ 1 ] - P );
	coords[ 2 ] = mat * ( rectCoords[ 2 ] - P );
	coords[ 3 ] = mat * ( rectCoords[ 3 ] - P );
	coords[ 0 ] = normalize( coords[ 0 ] );
	coords[ 1 ] = normalize( coords[ 1 ] );
	coords[ 2 ] = normalize( coords[ 2 ] );
	coords[ 3 ] = normalize( coords[ 3 ] );
	vec3 vectorFormFactor = vec3( 0.0 );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 0 ], coords[ 1 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 1 ], coords[ 2 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 2 ], coords[ 3 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 3 ], coords[ 0 ] );
	float result = LTC_ClippedSphereFormFactor( vectorFormFactor );
	return vec3( result );
}
#if defined( USE_SHEEN )
float D_Charlie( float roughness, float dotNH ) {
	float alpha = pow2( roughness );
	float invAlpha = 1.0 / alpha;
	float cos2h = dotNH * dotNH;
	float sin2h = max( 1.0 - cos2h, 0.0078125 );
	return ( 2.0 + invAlpha ) * pow( sin2h, invAlpha * 0.5 ) / ( 2.0 * PI );
}
float V_Neubelt( float dotNV, float dotNL ) {
	return saturate( 1.0 / ( 4.0 * ( dotNL + dotNV - dotNL * dotNV ) ) );
}
vec3 BRDF_Sheen( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, vec3 sheenColor, const in float sheenRoughness ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float D = D_Charlie( sheenRoughness, dotNH );
	float V = V_Neubelt( dotNV, dotNL );
	return sheenColor * ( D * V );
}
#endif
float IBLSheenBRDF( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	float r2 = roughness * roughness;
	float rInv = 1.0 / ( roughness + 0.1 );
	float a = -1.9362 + 1.0678 * roughness + 0.4573 * r2 - 0.8469 * rInv;
	float b = -0.6014 + 0.5538 * roughness - 0.4670 * r2 - 0.1255 * rInv;
	float DG = exp( a * dotNV + b );
	return saturate( DG );
}
vec3 EnvironmentBRDF( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	vec2 fab = texture2D( dfgLUT, vec2( roughness, dotNV ) ).rg;
	return specularColor * fab.x + specularF90 * fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence( const in vec2 fab, const in vec3 specularColor, const in float specularF90, const in float iridescence, const in vec3 iridescenceF0, inout vec3 singleScatter, inout vec3 multiScatter ) {
#else
void computeMultiscattering( const in vec2 fab, const in vec3 specularColor, const in float specularF90, inout vec3 singleScatter, inout vec3 multiScatter ) {
#endif
	#ifdef USE_IRIDESCENCE
		vec3 Fr = mix( specularColor, iridescenceF0, iridescence );
	#else
		vec3 Fr = specularColor;
	#endif
	vec3 FssEss = Fr * fab.x + specularF90 * fab.y;
	float Ess = fab.x + fab.y;
	float Ems = 1.0 - Ess;
	vec3 Favg = Fr + ( 1.0 - Fr ) * 0.047619;	vec3 Fms = FssEss * Favg / ( 1.0 - Ems * Favg );
	singleScatter += FssEss;
	multiScatter += Fms * Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
	void RE_Direct_RectArea_Physical( const in RectAreaLight rectAreaLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
		vec3 normal = geometryNormal;
		vec3 viewDir = geometryViewDir;
		vec3 position = geometryPosition;
		vec3 lightPos = rectAreaLight.position;
		vec3 halfWidth = rectAreaLight.halfWidth;
		vec3 halfHeight = rectAreaLight.halfHeight;
		vec3 lightColor = rectAreaLight.color;
		float roughness = material.roughness;
		vec3 rectCoords[ 4 ];
		rectCoords[ 0 ] = lightPos + halfWidth - halfHeight;		rectCoords[ 1 ] = lightPos - halfWidth - halfHeight;
		rectCoords[ 2 ] = lightPos - halfWidth + halfHeight;
		rectCoords[ 3 ] = lightPos + halfWidth + halfHeight;
		vec2 uv = LTC_Uv( normal, viewDir, roughness );
		vec4 t1 = texture2D( ltc_1, uv );
		vec4 t2 = texture2D( ltc_2, uv );
		mat3 mInv = mat3(
			vec3( t1.x, 0, t1.y ),
			vec3(    0, 1,    0 ),
			vec3( t1.z, 0, t1.w )
		);
		vec3 fresnel = ( material.specularColorBlended * t2.x + ( material.specularF90 - material.specularColorBlended ) * t2.y );
		reflectedLight.directSpecular += lightColor * fresnel * LTC_Evaluate( normal, viewDir, position, mInv, rectCoords );
		reflectedLight.directDiffuse += lightColor * material.diffuseContribution * LTC_Evaluate( normal, viewDir, position, mat3( 1.0 ), rectCoords );
		#ifdef USE_CLEARCOAT
			vec3 Ncc = geometryClearcoatNormal;
			vec2 uvClearcoat = LTC_Uv( Ncc, viewDir, material.clearcoatRoughness );
			vec4 t1Clearcoat = texture2D( ltc_1, uvClearcoat );
			vec4 t2Clearcoat = texture2D( ltc_2, uvClearcoat );
			mat3 mInvClearcoat = mat3(
				vec3( t1Clearcoat.x, 0, t1Clearcoat.y ),
				vec3(             0, 1,             0 ),
				vec3( t1Clearcoat.z, 0, t1Clearcoat.w )
			);
			vec3 fresnelClearcoat = material.clearcoatF0 * t2Clearcoat.x + ( material.clearcoatF90 - material.clearcoatF0 ) * t2Clearcoat.y;
			clearcoatSpecularDirect += lightColor * fresnelClearcoat * LTC_Evaluate( Ncc, viewDir, position, mInvClearcoat, rectCoords );
		#endif
	}
#endif
void RE_Direct_Physical( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	#ifdef USE_CLEARCOAT
		float dotNLcc = saturate( dot( geometryClearcoatNormal, directLight.direction ) );
		vec3 ccIrradiance = dotNLcc * directLight.color;
		clearcoatSpecularDirect += ccIrradiance * BRDF_GGX_Clearcoat( directLight.direction, geometryViewDir, geometryClearcoatNormal, material );
	#endif
	#ifdef USE_SHEEN
 
 		sheenSpecularDirect += irradiance * BRDF_Sheen( directLight.direction, geometryViewDir, geometryNormal, material.sheenColor, material.sheenRoughness );
 
 		float sheenAlbedoV = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
 		float sheenAlbedoL = IBLSheenBRDF( geometryNormal, directLight.direction, material.sheenRoughness );
 
 		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * max( sheenAlbedoV, sheenAlbedoL );
 
 		irradiance *= sheenEnergyComp;
 
 	#endif
	vec3 specularBRDF = BRDF_GGX( directLight.direction, geometryViewDir, geometryNormal, material );
	#ifdef USE_RETROREFLECTION
		vec3 retroViewDir = reflect( - geometryViewDir, geometryNormal );
		vec3 retroSpecularBRDF = BRDF_GGX( directLight.direction, retroViewDir, geometryNormal, material );
		specularBRDF = mix( specularBRDF, retroSpecularBRDF, saturate( material.retroreflectivity ) );
	#endif
	reflectedLight.directSpecular += irradiance * specularBRDF * material.multiScatteringCompensation;
	vec3 halfDir = normalize( directLight.direction + geometryViewDir );
	float dotVH = saturate( dot( geometryViewDir, halfDir ) );
	vec3 F = F_Schlick( material.specularColor, material.specularF90, dotVH );
	#ifdef USE_RETROREFLECTION
		vec3 retroHalfDir = normalize( directLight.direction + retroViewDir );
		float dotRetroVH = saturate( dot( retroViewDir, retroHalfDir ) );
		vec3 retroF = F_Schlick( material.specularColor, material.specularF90, dotRetroVH );
		F = mix( F, retroF, saturate( material.retroreflectivity ) );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		vec3 diffuseBRDF = BRDF_EON( directLight.direction, geometryViewDir, geometryNormal, material.diffuseColor, material.diffuseRoughness ) * ( 1.0 - material.metalness );
	#else
		vec3 diffuseBRDF = BRDF_Lambert( material.diffuseContribution );
	#endif
	reflectedLight.directDiffuse += irradiance * diffuseBRDF * ( 1.0 - F );
}
void RE_IndirectDiffuse_Physical( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 singleScattering = vec3( 0.0 );
	vec3 multiScattering = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScattering, multiScattering );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScattering, multiScattering );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuseAlbedo = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness );
		vec3 diffuse = irradiance * RECIPROCAL_PI * diffuseAlbedo * ( 1.0 - singleScattering - multiScattering );
	#else
		vec3 diffuse = irradiance * BRDF_Lambert( material.diffuseContribution ) * ( 1.0 - singleScattering - multiScattering );
	#endif
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		sheenSpecularIndirect += irradiance * material.sheenColor * sheenAlbedo * RECIPROCAL_PI;
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		diffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectDiffuse += diffuse;
}
void RE_IndirectSpecular_Physical( const in vec3 radiance, const in vec3 irradiance, const in vec3 clearcoatRadiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight) {
	#ifdef USE_CLEARCOAT
		clearcoatSpecularIndirect += clearcoatRadiance * EnvironmentBRDF( geometryClearcoatNormal, geometryViewDir, material.clearcoatF0, material.clearcoatF90, material.clearcoatRoughness );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularIndirect += irradiance * material.sheenColor * IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness ) * RECIPROCAL_PI;
 	#endif
	vec3 singleScatteringDielectric = vec3( 0.0 );
	vec3 multiScatteringDielectric = vec3( 0.0 );
	vec3 singleScatteringMetallic = vec3( 0.0 );
	vec3 multiScatteringMetallic = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscatteringIridescence( material.dfg, material.diffuseColor, material.specularF90, material.iridescence, material.iridescenceF0Metallic, singleScatteringMetallic, multiScatteringMetallic );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscattering( material.dfg, material.diffuseColor, material.specularF90, singleScatteringMetallic, multiScatteringMetallic );
	#endif
	vec3 singleScattering = mix( singleScatteringDielectric, singleScatteringMetallic, material.metalness );
	vec3 multiScattering = mix( multiScatteringDielectric, multiScatteringMetallic, material.metalness );
	vec3 totalScatteringDielectric = singleScatteringDielectric + multiScatteringDielectric;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuse = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness ) * ( 1.0 - totalScatteringDielectric );
	#else
		vec3 diffuse = material.diffuseContribution * ( 1.0 - totalScatteringDielectric );
	#endif
	vec3 cosineWeightedIrradiance = irradiance * RECIPROCAL_PI;
	vec3 indirectSpecular = radiance * singleScattering;
	indirectSpecular += multiScattering * cosineWeightedIrradiance;
	vec3 indirectDiffuse = diffuse * cosineWeightedIrradiance;
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		indirectSpecular *= sheenEnergyComp;
		indirectDiffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectSpecular += indirectSpecular;
	reflectedLight.indirectDiffuse += indirectDiffuse;
}
#define RE_Direct				RE_Direct_Physical
#define RE_Direct_RectArea		RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular		RE_IndirectSpecular_Physical
float computeSpecularOcclusion( const in float dotNV, const in float ambientOcclusion, const in float roughness ) {
	return saturate( pow( dotNV + ambientOcclusion, exp2( - 16.0 * roughness - 1.0 ) ) - 1.0 + ambientOcclusion );
}`,lights_fragment_begin:`
vec3 geometryPosition = - vViewPosition;
vec3 geometryNormal = normal;
vec3 geometryViewDir = ( isOrthographic ) ? vec3( 0, 0, 1 ) : normalize( vViewPosition );
vec3 geometryClearcoatNormal = vec3( 0.0 );
#ifdef USE_CLEARCOAT
	geometryClearcoatNormal = clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
	float dotNVi = saturate( dot( normal, geometryViewDir ) );
	if ( material.iridescenceThickness == 0.0 ) {
		material.iridescence = 0.0;
	} else {
		material.iridescence = saturate( material.iridescence );
	}
	if ( material.iridescence > 0.0 ) {
		vec3 iridescenceFresnelDielectric = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.specularColor );
		vec3 iridescenceFresnelMetallic = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.diffuseColor );
		material.iridescenceFresnel = mix( iridescenceFresnelDielectric, iridescenceFresnelMetallic, material.metalness );
		material.iridescenceF0Dielectric = Schlick_to_F0( iridescenceFresnelDielectric, 1.0, dotNVi );
		material.iridescenceF0Metallic = Schlick_to_F0( iridescenceFresnelMetallic, 1.0, dotNVi );
	}
#endif
#ifdef STANDARD
	float dotNVms = saturate( dot( geometryNormal, geometryViewDir ) );
	material.dfg = texture2D( dfgLUT, vec2( material.roughness, dotNVms ) ).rg;
	#if ( NUM_SUN_LIGHTS > 0 || NUM_DIR_LIGHTS > 0 || NUM_POINT_LIGHTS > 0 || NUM_SPOT_LIGHTS > 0 )
		float EssMs = material.dfg.x + material.dfg.y;
		material.multiScatteringCompensation = 1.0 + material.specularColorBlended * ( 1.0 / EssMs - 1.0 );
	#endif
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
	PointLight pointLight;
	#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHTS; i ++ ) {
		pointLight = pointLights[ i ];
		getPointLightInfo( pointLight, geometryPosition, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS ) && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
		pointLightShadow = pointLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getPointShadow( pointShadowMap[ i ], pointLightShadow.shadowMapSize, pointLightShadow.shadowIntensity, pointLightShadow.shadowBias, pointLightShadow.shadowRadius, vPointShadowCoord[ i ], pointLightShadow.shadowCameraNear, pointLightShadow.shadowCameraFar ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
	SpotLight spotLight;
	vec4 spotColor;
	vec3 spotLightCoord;
	bool inSpotLightMap;
	#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHTS; i ++ ) {
		spotLight = spotLights[ i ];
		getSpotLightInfo( spotLight, geometryPosition, directLight );
		#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
		#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
		#else
		#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#endif
		#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
			spotLightCoord = vSpotLightCoord[ i ].xyz / vSpotLightCoord[ i ].w;
			inSpotLightMap = all( lessThan( abs( spotLightCoord * 2. - 1. ), vec3( 1.0 ) ) );
			spotColor = texture2D( spotLightMap[ SPOT_LIGHT_MAP_INDEX ], spotLightCoord.xy );
			directLight.color = inSpotLightMap ? directLight.color * spotColor.rgb : directLight.color;
		#endif
		#undef SPOT_LIGHT_MAP_INDEX
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		spotLightShadow = spotLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( spotShadowMap[ i ], spotLightShadow.shadowMapSize, spotLightShadow.shadowIntensity, spotLightShadow.shadowBias, spotLightShadow.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SUN_LIGHTS > 0 ) && defined( RE_Direct )
	SunLight sunLight;
	#if defined( USE_SHADOWMAP ) && NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHTS; i ++ ) {
		sunLight = sunLights[ i ];
		getSunLightInfo( sunLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SUN_LIGHT_SHADOWS )
		sunLightShadow = sunLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getSunShadow( sunShadowMap[ i ], sunLightShadow, UNROLLED_LOOP_INDEX ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
	DirectionalLight directionalLight;
	#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHTS; i ++ ) {
		directionalLight = directionalLights[ i ];
		getDirectionalLightInfo( directionalLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
		directionalLightShadow = directionalLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( directionalShadowMap[ i ], directionalLightShadow.shadowMapSize, directionalLightShadow.shadowIntensity, directionalLightShadow.shadowBias, directionalLightShadow.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
	RectAreaLight rectAreaLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_RECT_AREA_LIGHTS; i ++ ) {
		rectAreaLight = rectAreaLights[ i ];
		RE_Direct_RectArea( rectAreaLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
	vec3 iblIrradiance = vec3( 0.0 );
	vec3 irradiance = getAmbientLightIrradiance( ambientLightColor );
	#if defined( USE_LIGHT_PROBES )
		irradiance += getLightProbeIrradiance( lightProbe, geometryNormal );
	#endif
	#if ( NUM_HEMI_LIGHTS > 0 )
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_HEMI_LIGHTS; i ++ ) {
			irradiance += getHemisphereLightIrradiance( hemisphereLights[ i ], geometryNormal );
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_LIGHT_PROBE_GRIDS > 0
		vec3 probeWorldPos = ( ( vec4( geometryPosition, 1.0 ) - viewMatrix[ 3 ] ) * viewMatrix ).xyz;
		vec3 probeWorldNormal = transformNormalByInverseViewMatrix( geometryNormal, viewMatrix );
		int probeGrid = - 1;
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( isInsideLightProbeGrid( probeWorldPos, probeWorldNormal, probesMin[ i ], probesMax[ i ], probesResolution[ i ] ) ) probeGrid = UNROLLED_LOOP_INDEX;
		}
		#pragma unroll_loop_end
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( probeGrid == UNROLLED_LOOP_INDEX ) irradiance += getLightProbeGridIrradiance( probesSH[ i ], probesMin[ i ], probesMax[ i ], probesResolution[ i ], probeWorldPos, probeWorldNormal );
		}
		#pragma unroll_loop_end
	#endif
#endif
#if defined( RE_IndirectSpecular )
	vec3 radiance = vec3( 0.0 );
	vec3 clearcoatRadiance = vec3( 0.0 );
#endif`,lights_fragment_maps:`#if defined( RE_IndirectDiffuse )
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		vec3 lightMapIrradiance = lightMapTexel.rgb * lightMapIntensity;
		irradiance += lightMapIrradiance;
	#endif
	#if defined( USE_ENVMAP ) && defined( ENVMAP_TYPE_PMREM )
		#if defined( STANDARD ) || defined( LAMBERT ) || defined( PHONG )
			iblIrradiance += getIBLIrradiance( geometryNormal );
		#endif
	#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
	#ifdef USE_ANISOTROPY
		vec3 iblRadiance = getIBLAnisotropyRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
	#else
		vec3 iblRadiance = getIBLRadiance( geometryViewDir, geometryNormal, material.roughness );
	#endif
	#ifdef USE_RETROREFLECTION
		#ifdef USE_ANISOTROPY
			vec3 retroIBLRadiance = getIBLAnisotropyRetroRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
		#else
			vec3 retroIBLRadiance = getIBLRetroRadiance( geometryViewDir, geometryNormal, material.roughness );
		#endif
		iblRadiance = mix( iblRadiance, retroIBLRadiance, saturate( material.retroreflectivity ) );
	#endif
	radiance += iblRadiance;
	#ifdef USE_CLEARCOAT
		clearcoatRadiance += getIBLRadiance( geometryViewDir, geometryClearcoatNormal, material.clearcoatRoughness );
	#endif
#endif`,lights_fragment_end:`#if defined( RE_IndirectDiffuse )
	#if defined( LAMBERT ) || defined( PHONG )
		irradiance += iblIrradiance;
	#endif
	RE_IndirectDiffuse( irradiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif
#if defined( RE_IndirectSpecular )
	RE_IndirectSpecular( radiance, iblIrradiance, clearcoatRadiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif`,lightprobes_pars_fragment:`#if NUM_LIGHT_PROBE_GRIDS > 0
uniform highp sampler3D probesSH[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMin[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMax[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesResolution[ NUM_LIGHT_PROBE_GRIDS ];
bool isInsideLightProbeGrid( vec3 worldPos, vec3 worldNormal, vec3 probesMin, vec3 probesMax, vec3 probesResolution ) {
	vec3 spacing = ( probesMax - probesMin ) / probesResolution;
	vec3 samplePos = worldPos + worldNormal * spacing * 0.5;
	vec3 margin = spacing * 0.01;
	return all( greaterThanEqual( samplePos, probesMin - margin ) ) && all( lessThanEqual( samplePos, probesMax + margin ) );
}
vec3 getLightProbeGridIrradiance( highp sampler3D probesSH, vec3 probesMin, vec3 probesMax, vec3 probesResolution, vec3 worldPos, vec3 worldNormal ) {
	vec3 res = probesResolution;
	vec3 gridRange = probesMax - probesMin;
	vec3 probeSpacing = gridRange / res;
	vec3 samplePos = worldPos + worldNormal * probeSpacing * 0.5;
	vec3 uvw = clamp( ( samplePos - probesMin ) / gridRange, 0.5 / res, 1.0 - 0.5 / res );
	float nz          = res.z;
	float paddedSlices = nz + 2.0;
	float atlasDepth  = 7.0 * paddedSlices;
	float uvZBase     = uvw.z * nz + 1.0;
	vec4 s0 = texture( probesSH, vec3( uvw.xy, ( uvZBase                       ) / atlasDepth ) );
	vec4 s1 = texture( probesSH, vec3( uvw.xy, ( uvZBase +       paddedSlices   ) / atlasDepth ) );
	vec4 s2 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 2.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s3 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 3.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s4 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 4.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s5 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 5.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s6 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 6.0 * paddedSlices   ) / atlasDepth ) );
	vec3 c0 = s0.xyz;
	vec3 c1 = vec3( s0.w, s1.xy );
	vec3 c2 = vec3( s1.zw, s2.x );
	vec3 c3 = s2.yzw;
	vec3 c4 = s3.xyz;
	vec3 c5 = vec3( s3.w, s4.xy );
	vec3 c6 = vec3( s4.zw, s5.x );
	vec3 c7 = s5.yzw;
	vec3 c8 = s6.xyz;
	float x = worldNormal.x, y = worldNormal.y, z = worldNormal.z;
	vec3 result = c0 * 0.886227;
	result += c1 * 2.0 * 0.511664 * y;
	result += c2 * 2.0 * 0.511664 * z;
	result += c3 * 2.0 * 0.511664 * x;
	result += c4 * 2.0 * 0.429043 * x * y;
	result += c5 * 2.0 * 0.429043 * y * z;
	result += c6 * ( 0.743125 * z * z - 0.247708 );
	result += c7 * 2.0 * 0.429043 * x * z;
	result += c8 * 0.429043 * ( x * x - y * y );
	return max( result, vec3( 0.0 ) );
}
#endif`,logdepthbuf_fragment:`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2( vFragDepth ) * logDepthBufFC * 0.5;
#endif`,logdepthbuf_pars_fragment:`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	uniform float logDepthBufFC;
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,logdepthbuf_pars_vertex:`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,logdepthbuf_vertex:`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	vFragDepth = 1.0 + gl_Position.w;
	vIsPerspective = float( isPerspectiveMatrix( projectionMatrix ) );
#endif`,map_fragment:`#ifdef USE_MAP
	vec4 sampledDiffuseColor = texture2D( map, vMapUv );
	#ifdef DECODE_VIDEO_TEXTURE
		sampledDiffuseColor = sRGBTransferEOTF( sampledDiffuseColor );
	#endif
	diffuseColor *= sampledDiffuseColor;
#endif`,map_pars_fragment:`#ifdef USE_MAP
	uniform sampler2D map;
#endif`,map_particle_fragment:`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
	#if defined( USE_POINTS_UV )
		vec2 uv = vUv;
	#else
		vec2 uv = ( uvTransform * vec3( gl_PointCoord.x, 1.0 - gl_PointCoord.y, 1 ) ).xy;
	#endif
#endif
#ifdef USE_MAP
	diffuseColor *= texture2D( map, uv );
#endif
#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, uv ).g;
#endif`,map_particle_pars_fragment:`#if defined( USE_POINTS_UV )
	varying vec2 vUv;
#else
	#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
		uniform mat3 uvTransform;
	#endif
#endif
#ifdef USE_MAP
	uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,metalnessmap_fragment:`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
	vec4 texelMetalness = texture2D( metalnessMap, vMetalnessMapUv );
	metalnessFactor *= texelMetalness.b;
#endif`,metalnessmap_pars_fragment:`#ifdef USE_METALNESSMAP
	uniform sampler2D metalnessMap;
#endif`,morphinstance_vertex:`#ifdef USE_INSTANCING_MORPH
	float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	float morphTargetBaseInfluence = texelFetch( morphTexture, ivec2( 0, gl_InstanceID ), 0 ).r;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		morphTargetInfluences[i] =  texelFetch( morphTexture, ivec2( i + 1, gl_InstanceID ), 0 ).r;
	}
#endif`,morphcolor_vertex:`#if defined( USE_MORPHCOLORS )
	#if defined( USE_COLOR_ALPHA )
		vColor *= morphTargetBaseInfluence;
	#elif defined( USE_COLOR )
		vColor.rgb *= morphTargetBaseInfluence;
	#endif
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		#if defined( USE_COLOR_ALPHA )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ) * morphTargetInfluences[ i ];
		#elif defined( USE_COLOR )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor.rgb += getMorph( gl_VertexID, i, 2 ).rgb * morphTargetInfluences[ i ];
		#endif
	}
#endif`,morphnormal_vertex:`#ifdef USE_MORPHNORMALS
	objectNormal *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) objectNormal += getMorph( gl_VertexID, i, 1 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,morphtarget_pars_vertex:`#ifdef USE_MORPHTARGETS
	#ifndef USE_INSTANCING_MORPH
		uniform float morphTargetBaseInfluence;
		uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	#endif
	uniform sampler2DArray morphTargetsTexture;
	uniform ivec2 morphTargetsTextureSize;
	vec4 getMorph( const in int vertexIndex, const in int morphTargetIndex, const in int offset ) {
		int texelIndex = vertexIndex * MORPHTARGETS_TEXTURE_STRIDE + offset;
		int y = texelIndex / morphTargetsTextureSize.x;
		int x = texelIndex - y * morphTargetsTextureSize.x;
		ivec3 morphUV = ivec3( x, y, morphTargetIndex );
		return texelFetch( morphTargetsTexture, morphUV, 0 );
	}
#endif`,morphtarget_vertex:`#ifdef USE_MORPHTARGETS
	transformed *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) transformed += getMorph( gl_VertexID, i, 0 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,normal_fragment_begin:`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
#ifdef FLAT_SHADED
	vec3 fdx = dFdx( vViewPosition );
	vec3 fdy = dFdy( vViewPosition );
	vec3 normal = normalize( cross( fdx, fdy ) );
#else
	vec3 normal = normalize( vNormal );
	#ifdef DOUBLE_SIDED
		normal *= faceDirection;
	#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
	#ifdef USE_TANGENT
		mat3 tbn = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn = getTangentFrame( - vViewPosition, normal,
		#if defined( USE_NORMALMAP )
			vNormalMapUv
		#elif defined( USE_CLEARCOAT_NORMALMAP )
			vClearcoatNormalMapUv
		#else
			vUv
		#endif
		);
	#endif
	#ifdef DOUBLE_SIDED
		tbn[0] *= faceDirection;
		tbn[1] *= faceDirection;
	#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	#ifdef USE_TANGENT
		mat3 tbn2 = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn2 = getTangentFrame( - vViewPosition, normal, vClearcoatNormalMapUv );
	#endif
	#ifdef DOUBLE_SIDED
		tbn2[0] *= faceDirection;
		tbn2[1] *= faceDirection;
	#endif
#endif
vec3 nonPerturbedNormal = normal;`,normal_fragment_maps:`#ifdef USE_NORMALMAP_OBJECTSPACE
	normal = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#ifdef FLIP_SIDED
		normal = - normal;
	#endif
	#ifdef DOUBLE_SIDED
		normal = normal * faceDirection;
	#endif
	normal = normalize( normalMatrix * normal );
#elif defined( USE_NORMALMAP_TANGENTSPACE )
	vec3 mapN = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#if defined( USE_PACKED_NORMALMAP )
		mapN = vec3( mapN.xy, sqrt( saturate( 1.0 - dot( mapN.xy, mapN.xy ) ) ) );
	#endif
	mapN.xy *= normalScale;
	normal = normalize( tbn * mapN );
#elif defined( USE_BUMPMAP )
	normal = perturbNormalArb( - vViewPosition, normal, dHdxy_fwd(), faceDirection );
#endif`,normal_pars_fragment:`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,normal_pars_vertex:`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,normal_vertex:`#ifndef FLAT_SHADED
	vNormal = normalize( transformedNormal );
	#ifdef USE_TANGENT
		vTangent = normalize( transformedTangent );
		vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
		#ifdef FLIP_SIDED
			vBitangent = - vBitangent;
		#endif
	#endif
#endif`,normalmap_pars_fragment:`#ifdef USE_NORMALMAP
	uniform sampler2D normalMap;
	uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
	uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
	mat3 getTangentFrame( vec3 eye_pos, vec3 surf_norm, vec2 uv ) {
		vec3 q0 = dFdx( eye_pos.xyz );
		vec3 q1 = dFdy( eye_pos.xyz );
		vec2 st0 = dFdx( uv.st );
		vec2 st1 = dFdy( uv.st );
		vec3 N = surf_norm;
		vec3 q1perp = cross( q1, N );
		vec3 q0perp = cross( N, q0 );
		vec3 T = q1perp * st0.x + q0perp * st1.x;
		vec3 B = q1perp * st0.y + q0perp * st1.y;
		float det = max( dot( T, T ), dot( B, B ) );
		float scale = ( det == 0.0 ) ? 0.0 : inversesqrt( det );
		return mat3( T * scale, B * scale, N );
	}
#endif`,clearcoat_normal_fragment_begin:`#ifdef USE_CLEARCOAT
	vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,clearcoat_normal_fragment_maps:`#ifdef USE_CLEARCOAT_NORMALMAP
	vec3 clearcoatMapN = texture2D( clearcoatNormalMap, vClearcoatNormalMapUv ).xyz * 2.0 - 1.0;
	clearcoatMapN.xy *= clearcoatNormalScale;
	clearcoatNormal = normalize( tbn2 * clearcoatMapN );
#endif`,clearcoat_pars_fragment:`#ifdef USE_CLEARCOATMAP
	uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform sampler2D clearcoatNormalMap;
	uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform sampler2D clearcoatRoughnessMap;
#endif`,iridescence_pars_fragment:`#ifdef USE_IRIDESCENCEMAP
	uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform sampler2D iridescenceThicknessMap;
#endif`,opaque_fragment:`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,packing:`vec3 packNormalToRGB( const in vec3 normal ) {
	return normalize( normal ) * 0.5 + 0.5;
}
vec3 unpackRGBToNormal( const in vec3 rgb ) {
	return 2.0 * rgb.xyz - 1.0;
}
const float PackUpscale = 256. / 255.;const float UnpackDownscale = 255. / 256.;const float ShiftRight8 = 1. / 256.;
const float Inv255 = 1. / 255.;
const vec4 PackFactors = vec4( 1.0, 256.0, 256.0 * 256.0, 256.0 * 256.0 * 256.0 );
const vec2 UnpackFactors2 = vec2( UnpackDownscale, 1.0 / PackFactors.g );
const vec3 UnpackFactors3 = vec3( UnpackDownscale / PackFactors.rg, 1.0 / PackFactors.b );
const vec4 UnpackFactors4 = vec4( UnpackDownscale / PackFactors.rgb, 1.0 / PackFactors.a );
vec4 packDepthToRGBA( const in float v ) {
	if( v <= 0.0 )
		return vec4( 0., 0., 0., 0. );
	if( v >= 1.0 )
		return vec4( 1., 1., 1., 1. );
	float vuf;
	float af = modf( v * PackFactors.a, vuf );
	float bf = modf( vuf * ShiftRight8, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec4( vuf * Inv255, gf * PackUpscale, bf * PackUpscale, af );
}
vec3 packDepthToRGB( const in float v ) {
	if( v <= 0.0 )
		return vec3( 0., 0., 0. );
	if( v >= 1.0 )
		return vec3( 1., 1., 1. );
	float vuf;
	float bf = modf( v * PackFactors.b, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec3( vuf * Inv255, gf * PackUpscale, bf );
}
vec2 packDepthToRG( const in float v ) {
	if( v <= 0.0 )
		return vec2( 0., 0. );
	if( v >= 1.0 )
		return vec2( 1., 1. );
	float vuf;
	float gf = modf( v * 256., vuf );
	return vec2( vuf * Inv255, gf );
}
float unpackRGBAToDepth( const in vec4 v ) {
	return dot( v, UnpackFactors4 );
}
float unpackRGBToDepth( const in vec3 v ) {
	return dot( v, UnpackFactors3 );
}
float unpackRGToDepth( const in vec2 v ) {
	return v.r * UnpackFactors2.r + v.g * UnpackFactors2.g;
}
vec4 pack2HalfToRGBA( const in vec2 v ) {
	vec4 r = vec4( v.x, fract( v.x * 255.0 ), v.y, fract( v.y * 255.0 ) );
	return vec4( r.x - r.y / 255.0, r.y, r.z - r.w / 255.0, r.w );
}
vec2 unpackRGBATo2Half( const in vec4 v ) {
	return vec2( v.x + ( v.y / 255.0 ), v.z + ( v.w / 255.0 ) );
}
float viewZToOrthographicDepth( const in float viewZ, const in float near, const in float far ) {
	return ( viewZ + near ) / ( near - far );
}
float orthographicDepthToViewZ( const in float depth, const in float near, const in float far ) {
	#ifdef USE_REVERSED_DEPTH_BUFFER
	
		return depth * ( far - near ) - far;
	#else
		return depth * ( near - far ) - near;
	#endif
}
float viewZToPerspectiveDepth( const in float viewZ, const in float near, const in float far ) {
	return ( ( near + viewZ ) * far ) / ( ( far - near ) * viewZ );
}
float perspectiveDepthToViewZ( const in float depth, const in float near, const in float far ) {
	
	#ifdef USE_REVERSED_DEPTH_BUFFER
		return ( near * far ) / ( ( near - far ) * depth - near );
	#else
		return ( near * far ) / ( ( far - near ) * depth - far );
	#endif
}`,premultiplied_alpha_fragment:`#ifdef PREMULTIPLIED_ALPHA
	gl_FragColor.rgb *= gl_FragColor.a;
#endif`,project_vertex:`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
	mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
	mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,dithering_fragment:`#ifdef DITHERING
	gl_FragColor.rgb = dithering( gl_FragColor.rgb );
#endif`,dithering_pars_fragment:`#ifdef DITHERING
	vec3 dithering( vec3 color ) {
		float grid_position = rand( gl_FragCoord.xy );
		vec3 dither_shift_RGB = vec3( 0.25 / 255.0, -0.25 / 255.0, 0.25 / 255.0 );
		dither_shift_RGB = mix( 2.0 * dither_shift_RGB, -2.0 * dither_shift_RGB, grid_position );
		return color + dither_shift_RGB;
	}
#endif`,roughnessmap_fragment:`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
	vec4 texelRoughness = texture2D( roughnessMap, vRoughnessMapUv );
	roughnessFactor *= texelRoughness.g;
#endif`,roughnessmap_pars_fragment:`#ifdef USE_ROUGHNESSMAP
	uniform sampler2D roughnessMap;
#endif`,shadowmap_pars_fragment:`#if NUM_SPOT_LIGHT_COORDS > 0
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
	uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		#define SUN_LIGHT_CASCADES 2
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#else
			uniform sampler2D sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#endif
		uniform mat4 sunShadowMatrix[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		uniform vec4 sunShadowCascade[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
		struct SunLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SunLightShadow sunLightShadows[ NUM_SUN_LIGHT_SHADOWS ];
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#else
			uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#endif
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#else
			uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#endif
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform samplerCubeShadow pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#elif defined( SHADOWMAP_TYPE_BASIC )
			uniform samplerCube pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#endif
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float interleavedGradientNoise( vec2 position ) {
			return fract( 52.9829189 * fract( dot( position, vec2( 0.06711056, 0.00583715 ) ) ) );
		}
		vec2 vogelDiskSample( int sampleIndex, int samplesCount, float phi ) {
			const float goldenAngle = 2.399963229728653;
			float r = sqrt( ( float( sampleIndex ) + 0.5 ) / float( samplesCount ) );
			float theta = float( sampleIndex ) * goldenAngle + phi;
			return vec2( cos( theta ), sin( theta ) ) * r;
		}
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float getShadow( sampler2DShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
				vec2 radius = shadowRadius * texelSize;
				float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
				shadow = (
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 0, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 1, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 2, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 3, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 4, 5, phi ) * radius, shadowCoord.z ) )
				) * 0.2;
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#elif defined( SHADOWMAP_TYPE_VSM )
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 distribution = texture2D( shadowMap, shadowCoord.xy ).rg;
				float mean = distribution.x;
				float variance = distribution.y * distribution.y;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					float hard_shadow = step( mean, shadowCoord.z );
				#else
					float hard_shadow = step( shadowCoord.z, mean );
				#endif
				
				if ( hard_shadow == 1.0 ) {
					shadow = 1.0;
				} else {
					variance = max( variance, 0.0000001 );
					float d = shadowCoord.z - mean;
					float p_max = variance / ( variance + d * d );
					p_max = clamp( ( p_max - 0.3 ) / 0.65, 0.0, 1.0 );
					shadow = max( hard_shadow, p_max );
				}
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#else
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				float depth = texture2D( shadowMap, shadowCoord.xy ).r;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					shadow = step( depth, shadowCoord.z );
				#else
					shadow = step( shadowCoord.z, depth );
				#endif
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#endif
	#if NUM_SUN_LIGHT_SHADOWS > 0
		float getSunShadow(
			#if defined( SHADOWMAP_TYPE_PCF )
				sampler2DShadow shadowMap,
			#else
				sampler2D shadowMap,
			#endif
			SunLightShadow sunLightShadow,
			int shadowIndex
		) {
			vec4 shadowWorldPosition = vec4( vSunShadowWorldPosition.xyz + vSunShadowWorldNormal * sunLightShadow.shadowNormalBias, 1.0 );
			float viewDepth = vSunShadowWorldPosition.w;
			int cascadeOffset = shadowIndex * SUN_LIGHT_CASCADES;
			float shadow = 1.0;
			for ( int i = SUN_LIGHT_CASCADES - 1; i >= 0; i -- ) {
				vec4 cascade = sunShadowCascade[ cascadeOffset + i ];
				if ( viewDepth >= cascade.x && viewDepth < cascade.y ) {
					float cascadeShadow = getShadow(
						shadowMap,
						sunLightShadow.shadowMapSize,
						sunLightShadow.shadowIntensity,
						sunLightShadow.shadowBias,
						sunLightShadow.shadowRadius,
						sunShadowMatrix[ cascadeOffset + i ] * shadowWorldPosition
					);
					shadow = mix( cascadeShadow, shadow, smoothstep( cascade.z, cascade.y, viewDepth ) );
				}
			}
			return shadow;
		}
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
	#if defined( SHADOWMAP_TYPE_PCF )
	float getPointShadow( samplerCubeShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 bd3D = normalize( lightToPosition );
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float lightDistance = length( lightToPosition );
			float depthRange = shadowCameraFar - shadowCameraNear;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				float depthA = - shadowCameraNear / depthRange - shadowBias;
				float depthB = shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#else
				float depthA = shadowCameraFar / depthRange + shadowBias;
				float depthB = - shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#endif
			float texelSize = shadowRadius / shadowMapSize.x;
			vec3 absDir = abs( bd3D );
			vec3 tangent = absDir.x > absDir.z ? vec3( 0.0, 1.0, 0.0 ) : vec3( 1.0, 0.0, 0.0 );
			tangent = normalize( cross( bd3D, tangent ) );
			vec3 bitangent = cross( bd3D, tangent );
			float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
			shadow = 0.0;
			for ( int i = 0; i < 5; i ++ ) {
				vec2 offset = vogelDiskSample( i, 5, phi );
				vec3 direction = bd3D + ( tangent * offset.x + bitangent * offset.y ) * texelSize;
				vec3 absDirection = abs( direction );
				float dp = depthA + depthB / max( max( absDirection.x, absDirection.y ), absDirection.z );
				shadow += texture( shadowMap, vec4( direction, dp ) );
			}
			shadow *= 0.2;
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#elif defined( SHADOWMAP_TYPE_BASIC )
	float getPointShadow( samplerCube shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float dp = ( shadowCameraFar * ( viewSpaceZ - shadowCameraNear ) ) / ( viewSpaceZ * ( shadowCameraFar - shadowCameraNear ) );
			dp += shadowBias;
			vec3 bd3D = normalize( lightToPosition );
			float depth = textureCube( shadowMap, bd3D ).r;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				depth = 1.0 - depth;
			#endif
			shadow = step( dp, depth );
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#endif
	#endif
#endif`,shadowmap_pars_vertex:`#if NUM_SPOT_LIGHT_COORDS > 0
	uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
#endif`,shadowmap_vertex:`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_SUN_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
	#ifdef HAS_NORMAL
		vec3 shadowWorldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
	#else
		vec3 shadowWorldNormal = vec3( 0.0 );
	#endif
	vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
	#if NUM_SUN_LIGHT_SHADOWS > 0
		vSunShadowWorldPosition = vec4( worldPosition.xyz, - mvPosition.z );
		vSunShadowWorldNormal = shadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias, 0 );
			vDirectionalShadowCoord[ i ] = directionalShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * pointLightShadows[ i ].shadowNormalBias, 0 );
			vPointShadowCoord[ i ] = pointShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_COORDS; i ++ ) {
		shadowWorldPosition = worldPosition;
		#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
			shadowWorldPosition.xyz += shadowWorldNormal * spotLightShadows[ i ].shadowNormalBias;
		#endif
		vSpotLightCoord[ i ] = spotLightMatrix[ i ] * shadowWorldPosition;
	}
	#pragma unroll_loop_end
#endif`,shadowmask_pars_fragment:`float getShadowMask() {
	float shadow = 1.0;
	#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHT_SHADOWS; i ++ ) {
		sunLight = sunLightShadows[ i ];
		shadow *= receiveShadow ? getSunShadow( sunShadowMap[ i ], sunLight, UNROLLED_LOOP_INDEX ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
		directionalLight = directionalLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( directionalShadowMap[ i ], directionalLight.shadowMapSize, directionalLight.shadowIntensity, directionalLight.shadowBias, directionalLight.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_SHADOWS; i ++ ) {
		spotLight = spotLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( spotShadowMap[ i ], spotLight.shadowMapSize, spotLight.shadowIntensity, spotLight.shadowBias, spotLight.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0 && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
	PointLightShadow pointLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
		pointLight = pointLightShadows[ i ];
		shadow *= receiveShadow ? getPointShadow( pointShadowMap[ i ], pointLight.shadowMapSize, pointLight.shadowIntensity, pointLight.shadowBias, pointLight.shadowRadius, vPointShadowCoord[ i ], pointLight.shadowCameraNear, pointLight.shadowCameraFar ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#endif
	return shadow;
}`,skinbase_vertex:`#ifdef USE_SKINNING
	mat4 boneMatX = getBoneMatrix( skinIndex.x );
	mat4 boneMatY = getBoneMatrix( skinIndex.y );
	mat4 boneMatZ = getBoneMatrix( skinIndex.z );
	mat4 boneMatW = getBoneMatrix( skinIndex.w );
#endif`,skinning_pars_vertex:`#ifdef USE_SKINNING
	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;
	uniform highp sampler2D boneTexture;
	mat4 getBoneMatrix( const in float i ) {
		int size = textureSize( boneTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( boneTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( boneTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( boneTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( boneTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
#endif`,skinning_vertex:`#ifdef USE_SKINNING
	vec4 skinVertex = bindMatrix * vec4( transformed, 1.0 );
	vec4 skinned = vec4( 0.0 );
	skinned += boneMatX * skinVertex * skinWeight.x;
	skinned += boneMatY * skinVertex * skinWeight.y;
	skinned += boneMatZ * skinVertex * skinWeight.z;
	skinned += boneMatW * skinVertex * skinWeight.w;
	transformed = ( bindMatrixInverse * skinned ).xyz;
#endif`,skinnormal_vertex:`#ifdef USE_SKINNING
	mat4 skinMatrix = mat4( 0.0 );
	skinMatrix += skinWeight.x * boneMatX;
	skinMatrix += skinWeight.y * boneMatY;
	skinMatrix += skinWeight.z * boneMatZ;
	skinMatrix += skinWeight.w * boneMatW;
	skinMatrix = bindMatrixInverse * skinMatrix * bindMatrix;
	objectNormal = vec4( skinMatrix * vec4( objectNormal, 0.0 ) ).xyz;
	#ifdef USE_TANGENT
		objectTangent = vec4( skinMatrix * vec4( objectTangent, 0.0 ) ).xyz;
	#endif
#endif`,specularmap_fragment:`float specularStrength;
#ifdef USE_SPECULARMAP
	vec4 texelSpecular = texture2D( specularMap, vSpecularMapUv );
	specularStrength = texelSpecular.r;
#else
	specularStrength = 1.0;
#endif`,specularmap_pars_fragment:`#ifdef USE_SPECULARMAP
	uniform sampler2D specularMap;
#endif`,tonemapping_fragment:`#if defined( TONE_MAPPING )
	gl_FragColor.rgb = toneMapping( gl_FragColor.rgb );
#endif`,tonemapping_pars_fragment:`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping( vec3 color ) {
	return saturate( toneMappingExposure * color );
}
vec3 ReinhardToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	return saturate( color / ( vec3( 1.0 ) + color ) );
}
vec3 CineonToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	color = max( vec3( 0.0 ), color - 0.004 );
	return pow( ( color * ( 6.2 * color + 0.5 ) ) / ( color * ( 6.2 * color + 1.7 ) + 0.06 ), vec3( 2.2 ) );
}
vec3 RRTAndODTFit( vec3 v ) {
	vec3 a = v * ( v + 0.0245786 ) - 0.000090537;
	vec3 b = v * ( 0.983729 * v + 0.4329510 ) + 0.238081;
	return a / b;
}
vec3 ACESFilmicToneMapping( vec3 color ) {
	const mat3 ACESInputMat = mat3(
		vec3( 0.59719, 0.07600, 0.02840 ),		vec3( 0.35458, 0.90834, 0.13383 ),
		vec3( 0.04823, 0.01566, 0.83777 )
	);
	const mat3 ACESOutputMat = mat3(
		vec3(  1.60475, -0.10208, -0.00327 ),		vec3( -0.53108,  1.10813, -0.07276 ),
		vec3( -0.07367, -0.00605,  1.07602 )
	);
	color *= toneMappingExposure / 0.6;
	color = ACESInputMat * color;
	color = RRTAndODTFit( color );
	color = ACESOutputMat * color;
	return saturate( color );
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB = mat3(
	vec3( 1.6605, - 0.1246, - 0.0182 ),
	vec3( - 0.5876, 1.1329, - 0.1006 ),
	vec3( - 0.0728, - 0.0083, 1.1187 )
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020 = mat3(
	vec3( 0.6274, 0.0691, 0.0164 ),
	vec3( 0.3293, 0.9195, 0.0880 ),
	vec3( 0.0433, 0.0113, 0.8956 )
);
vec3 agxDefaultContrastApprox( vec3 x ) {
	vec3 x2 = x * x;
	vec3 x4 = x2 * x2;
	return + 15.5 * x4 * x2
		- 40.14 * x4 * x
		+ 31.96 * x4
		- 6.868 * x2 * x
		+ 0.4298 * x2
		+ 0.1191 * x
		- 0.00232;
}
vec3 AgXToneMapping( vec3 color ) {
	const mat3 AgXInsetMatrix = mat3(
		vec3( 0.856627153315983, 0.137318972929847, 0.11189821299995 ),
		vec3( 0.0951212405381588, 0.761241990602591, 0.0767994186031903 ),
		vec3( 0.0482516061458583, 0.101439036467562, 0.811302368396859 )
	);
	const mat3 AgXOutsetMatrix = mat3(
		vec3( 1.1271005818144368, - 0.1413297634984383, - 0.14132976349843826 ),
		vec3( - 0.11060664309660323, 1.157823702216272, - 0.11060664309660294 ),
		vec3( - 0.016493938717834573, - 0.016493938717834257, 1.2519364065950405 )
	);
	const float AgxMinEv = - 12.47393;	const float AgxMaxEv = 4.026069;
	color *= toneMappingExposure;
	color = LINEAR_SRGB_TO_LINEAR_REC2020 * color;
	color = AgXInsetMatrix * color;
	color = max( color, 1e-10 );	color = log2( color );
	color = ( color - AgxMinEv ) / ( AgxMaxEv - AgxMinEv );
	color = clamp( color, 0.0, 1.0 );
	color = agxDefaultContrastApprox( color );
	color = AgXOutsetMatrix * color;
	color = pow( max( vec3( 0.0 ), color ), vec3( 2.2 ) );
	color = LINEAR_REC2020_TO_LINEAR_SRGB * color;
	color = clamp( color, 0.0, 1.0 );
	return color;
}
vec3 NeutralToneMapping( vec3 color ) {
	const float StartCompression = 0.8 - 0.04;
	const float Desaturation = 0.15;
	color *= toneMappingExposure;
	float x = min( color.r, min( color.g, color.b ) );
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	color -= offset;
	float peak = max( color.r, max( color.g, color.b ) );
	if ( peak < StartCompression ) return color;
	float d = 1. - StartCompression;
	float newPeak = 1. - d * d / ( peak + d - StartCompression );
	color *= newPeak / peak;
	float g = 1. - 1. / ( Desaturation * ( peak - newPeak ) + 1. );
	return mix( color, vec3( newPeak ), g );
}
vec3 CustomToneMapping( vec3 color ) { return color; }`,transmission_fragment:`#ifdef USE_TRANSMISSION
	material.transmission = transmission;
	material.transmissionAlpha = 1.0;
	material.thickness = thickness;
	material.attenuationDistance = attenuationDistance;
	material.attenuationColor = attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		material.transmission *= texture2D( transmissionMap, vTransmissionMapUv ).r;
	#endif
	#ifdef USE_THICKNESSMAP
		material.thickness *= texture2D( thicknessMap, vThicknessMapUv ).g;
	#endif
	vec3 pos = vWorldPosition;
	vec3 v = normalize( cameraPosition - pos );
	vec3 n = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec4 transmitted = getIBLVolumeRefraction(
		n, v, material.roughness, material.diffuseContribution, material.specularColorBlended, material.specularF90,
		pos, modelMatrix, viewMatrix, projectionMatrix, material.dispersion, material.ior, material.thickness,
		material.attenuationColor, material.attenuationDistance );
	material.transmissionAlpha = mix( material.transmissionAlpha, transmitted.a, material.transmission );
	totalDiffuse = mix( totalDiffuse, transmitted.rgb, material.transmission );
#endif`,transmission_pars_fragment:`#ifdef USE_TRANSMISSION
	uniform float transmission;
	uniform float thickness;
	uniform float attenuationDistance;
	uniform vec3 attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		uniform sampler2D transmissionMap;
	#endif
	#ifdef USE_THICKNESSMAP
		uniform sampler2D thicknessMap;
	#endif
	uniform vec2 transmissionSamplerSize;
	uniform sampler2D transmissionSamplerMap;
	uniform mat4 modelMatrix;
	uniform mat4 projectionMatrix;
	varying vec3 vWorldPosition;
	float w0( float a ) {
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - a + 3.0 ) - 3.0 ) + 1.0 );
	}
	float w1( float a ) {
		return ( 1.0 / 6.0 ) * ( a *  a * ( 3.0 * a - 6.0 ) + 4.0 );
	}
	float w2( float a ){
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - 3.0 * a + 3.0 ) + 3.0 ) + 1.0 );
	}
	float w3( float a ) {
		return ( 1.0 / 6.0 ) * ( a * a * a );
	}
	float g0( float a ) {
		return w0( a ) + w1( a );
	}
	float g1( float a ) {
		return w2( a ) + w3( a );
	}
	float h0( float a ) {
		return - 1.0 + w1( a ) / ( w0( a ) + w1( a ) );
	}
	float h1( float a ) {
		return 1.0 + w3( a ) / ( w2( a ) + w3( a ) );
	}
	vec4 bicubic( sampler2D tex, vec2 uv, vec4 texelSize, float lod ) {
		uv = uv * texelSize.zw + 0.5;
		vec2 iuv = floor( uv );
		vec2 fuv = fract( uv );
		float g0x = g0( fuv.x );
		float g1x = g1( fuv.x );
		float h0x = h0( fuv.x );
		float h1x = h1( fuv.x );
		float h0y = h0( fuv.y );
		float h1y = h1( fuv.y );
		vec2 p0 = ( vec2( iuv.x + h0x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p1 = ( vec2( iuv.x + h1x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p2 = ( vec2( iuv.x + h0x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		vec2 p3 = ( vec2( iuv.x + h1x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		return g0( fuv.y ) * ( g0x * textureLod( tex, p0, lod ) + g1x * textureLod( tex, p1, lod ) ) +
			g1( fuv.y ) * ( g0x * textureLod( tex, p2, lod ) + g1x * textureLod( tex, p3, lod ) );
	}
	vec4 textureBicubic( sampler2D sampler, vec2 uv, float lod ) {
		vec2 fLodSize = vec2( textureSize( sampler, int( lod ) ) );
		vec2 cLodSize = vec2( textureSize( sampler, int( lod + 1.0 ) ) );
		vec2 fLodSizeInv = 1.0 / fLodSize;
		vec2 cLodSizeInv = 1.0 / cLodSize;
		vec4 fSample = bicubic( sampler, uv, vec4( fLodSizeInv, fLodSize ), floor( lod ) );
		vec4 cSample = bicubic( sampler, uv, vec4( cLodSizeInv, cLodSize ), ceil( lod ) );
		return mix( fSample, cSample, fract( lod ) );
	}
	vec3 getVolumeTransmissionRay( const in vec3 n, const in vec3 v, const in float thickness, const in float ior, const in mat4 modelMatrix ) {
		vec3 refractionVector = refract( - v, normalize( n ), 1.0 / ior );
		vec3 modelScale;
		modelScale.x = length( vec3( modelMatrix[ 0 ].xyz ) );
		modelScale.y = length( vec3( modelMatrix[ 1 ].xyz ) );
		modelScale.z = length( vec3( modelMatrix[ 2 ].xyz ) );
		return normalize( refractionVector ) * thickness * modelScale;
	}
	float applyIorToRoughness( const in float roughness, const in float ior ) {
		return roughness * clamp( ior * 2.0 - 2.0, 0.0, 1.0 );
	}
	vec4 getTransmissionSample( const in vec2 fragCoord, const in float roughness, const in float ior ) {
		float lod = log2( transmissionSamplerSize.x ) * applyIorToRoughness( roughness, ior );
		return textureBicubic( transmissionSamplerMap, fragCoord.xy, lod );
	}
	vec3 volumeAttenuation( const in float transmissionDistance, const in vec3 attenuationColor, const in float attenuationDistance ) {
		if ( isinf( attenuationDistance ) ) {
			return vec3( 1.0 );
		} else {
			vec3 attenuationCoefficient = -log( attenuationColor ) / attenuationDistance;
			vec3 transmittance = exp( - attenuationCoefficient * transmissionDistance );			return transmittance;
		}
	}
	vec4 getIBLVolumeRefraction( const in vec3 n, const in vec3 v, const in float roughness, const in vec3 diffuseColor,
		const in vec3 specularColor, const in float specularF90, const in vec3 position, const in mat4 modelMatrix,
		const in mat4 viewMatrix, const in mat4 projMatrix, const in float dispersion, const in float ior, const in float thickness,
		const in vec3 attenuationColor, const in float attenuationDistance ) {
		vec4 transmittedLight;
		vec3 transmittance;
		#ifdef USE_DISPERSION
			float halfSpread = ( ior - 1.0 ) * 0.025 * dispersion;
			vec3 iors = vec3( ior - halfSpread, ior, ior + halfSpread );
			for ( int i = 0; i < 3; i ++ ) {
				vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, iors[ i ], modelMatrix );
				vec3 refractedRayExit = position + transmissionRay;
				vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
				vec2 refractionCoords = ndcPos.xy / ndcPos.w;
				refractionCoords += 1.0;
				refractionCoords /= 2.0;
				vec4 transmissionSample = getTransmissionSample( refractionCoords, roughness, iors[ i ] );
				transmittedLight[ i ] = transmissionSample[ i ];
				transmittedLight.a += transmissionSample.a;
				transmittance[ i ] = diffuseColor[ i ] * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance )[ i ];
			}
			transmittedLight.a /= 3.0;
		#else
			vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, ior, modelMatrix );
			vec3 refractedRayExit = position + transmissionRay;
			vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
			vec2 refractionCoords = ndcPos.xy / ndcPos.w;
			refractionCoords += 1.0;
			refractionCoords /= 2.0;
			transmittedLight = getTransmissionSample( refractionCoords, roughness, ior );
			transmittance = diffuseColor * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance );
		#endif
		vec3 attenuatedColor = transmittance * transmittedLight.rgb;
		vec3 F = EnvironmentBRDF( n, v, specularColor, specularF90, roughness );
		float transmittanceFactor = ( transmittance.r + transmittance.g + transmittance.b ) / 3.0;
		return vec4( ( 1.0 - F ) * attenuatedColor, 1.0 - ( 1.0 - transmittedLight.a ) * transmittanceFactor );
	}
#endif`,uv_pars_fragment:`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,uv_pars_vertex:`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	uniform mat3 mapTransform;
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	uniform mat3 alphaMapTransform;
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	uniform mat3 lightMapTransform;
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	uniform mat3 aoMapTransform;
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	uniform mat3 bumpMapTransform;
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	uniform mat3 normalMapTransform;
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
	uniform mat3 displacementMapTransform;
	varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	uniform mat3 emissiveMapTransform;
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	uniform mat3 metalnessMapTransform;
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	uniform mat3 roughnessMapTransform;
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	uniform mat3 diffuseRoughnessMapTransform;
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	uniform mat3 anisotropyMapTransform;
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	uniform mat3 clearcoatMapTransform;
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform mat3 clearcoatNormalMapTransform;
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform mat3 clearcoatRoughnessMapTransform;
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	uniform mat3 sheenColorMapTransform;
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	uniform mat3 sheenRoughnessMapTransform;
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	uniform mat3 iridescenceMapTransform;
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform mat3 iridescenceThicknessMapTransform;
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
	uniform mat3 specularMapTransform;
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	uniform mat3 specularColorMapTransform;
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	uniform mat3 specularIntensityMapTransform;
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,uv_vertex:`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	vUv = vec3( uv, 1 ).xy;
#endif
#ifdef USE_MAP
	vMapUv = ( mapTransform * vec3( MAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ALPHAMAP
	vAlphaMapUv = ( alphaMapTransform * vec3( ALPHAMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_LIGHTMAP
	vLightMapUv = ( lightMapTransform * vec3( LIGHTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_AOMAP
	vAoMapUv = ( aoMapTransform * vec3( AOMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_BUMPMAP
	vBumpMapUv = ( bumpMapTransform * vec3( BUMPMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_NORMALMAP
	vNormalMapUv = ( normalMapTransform * vec3( NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
	vDisplacementMapUv = ( displacementMapTransform * vec3( DISPLACEMENTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_EMISSIVEMAP
	vEmissiveMapUv = ( emissiveMapTransform * vec3( EMISSIVEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_METALNESSMAP
	vMetalnessMapUv = ( metalnessMapTransform * vec3( METALNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ROUGHNESSMAP
	vRoughnessMapUv = ( roughnessMapTransform * vec3( ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	vDiffuseRoughnessMapUv = ( diffuseRoughnessMapTransform * vec3( DIFFUSE_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ANISOTROPYMAP
	vAnisotropyMapUv = ( anisotropyMapTransform * vec3( ANISOTROPYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOATMAP
	vClearcoatMapUv = ( clearcoatMapTransform * vec3( CLEARCOATMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	vClearcoatNormalMapUv = ( clearcoatNormalMapTransform * vec3( CLEARCOAT_NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	vClearcoatRoughnessMapUv = ( clearcoatRoughnessMapTransform * vec3( CLEARCOAT_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
	vIridescenceMapUv = ( iridescenceMapTransform * vec3( IRIDESCENCEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	vIridescenceThicknessMapUv = ( iridescenceThicknessMapTransform * vec3( IRIDESCENCE_THICKNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
	vSheenColorMapUv = ( sheenColorMapTransform * vec3( SHEEN_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	vSheenRoughnessMapUv = ( sheenRoughnessMapTransform * vec3( SHEEN_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULARMAP
	vSpecularMapUv = ( specularMapTransform * vec3( SPECULARMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
	vSpecularColorMapUv = ( specularColorMapTransform * vec3( SPECULAR_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	vSpecularIntensityMapUv = ( specularIntensityMapTransform * vec3( SPECULAR_INTENSITYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
	vTransmissionMapUv = ( transmissionMapTransform * vec3( TRANSMISSIONMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_THICKNESSMAP
	vThicknessMapUv = ( thicknessMapTransform * vec3( THICKNESSMAP_UV, 1 ) ).xy;
#endif`,worldpos_vertex:`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
	vec4 worldPosition = vec4( transformed, 1.0 );
	#ifdef USE_BATCHING
		worldPosition = batchingMatrix * worldPosition;
	#endif
	#ifdef USE_INSTANCING
		worldPosition = instanceMatrix * worldPosition;
	#endif
	worldPosition = modelMatrix * worldPosition;
#endif`,background_vert:`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
	vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	gl_Position = vec4( position.xy, 1.0, 1.0 );
}`,background_frag:`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main() {
	vec4 texColor = texture2D( t2D, vUv );
	#ifdef DECODE_VIDEO_TEXTURE
		texColor = vec4( mix( pow( texColor.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), texColor.rgb * 0.0773993808, vec3( lessThanEqual( texColor.rgb, vec3( 0.04045 ) ) ) ), texColor.w );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,backgroundCube_vert:`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,backgroundCube_frag:`uniform float backgroundBlurriness;
uniform float backgroundIntensity;
uniform mat3 backgroundRotation;
varying vec3 vWorldDirection;
#include <envmap_common_pars_fragment>
void main() {
	#ifdef ENVMAP_TYPE_PMREM
		vec4 texColor = textureLod( envMap, backgroundRotation * vWorldDirection, roughnessToMip( backgroundBlurriness ) );
	#else
		vec4 texColor = textureCube( envMap, backgroundRotation * vWorldDirection );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,cube_vert:`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,cube_frag:`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
	vec4 texColor = textureCube( tCube, vec3( tFlip * vWorldDirection.x, vWorldDirection.yz ) );
	gl_FragColor = texColor;
	gl_FragColor.a *= opacity;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,depth_vert:`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vHighPrecisionZW = gl_Position.zw;
}`,depth_frag:`#if DEPTH_PACKING == 3200
	uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#if DEPTH_PACKING == 3200
		diffuseColor.a = opacity;
	#endif
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <logdepthbuf_fragment>
	#ifdef USE_REVERSED_DEPTH_BUFFER
		float fragCoordZ = vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ];
	#else
		float fragCoordZ = 0.5 * vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ] + 0.5;
	#endif
	#if DEPTH_PACKING == 3200
		gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );
	#elif DEPTH_PACKING == 3201
		gl_FragColor = packDepthToRGBA( fragCoordZ );
	#elif DEPTH_PACKING == 3202
		gl_FragColor = vec4( packDepthToRGB( fragCoordZ ), 1.0 );
	#elif DEPTH_PACKING == 3203
		gl_FragColor = vec4( packDepthToRG( fragCoordZ ), 0.0, 1.0 );
	#endif
}`,distance_vert:`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <worldpos_vertex>
	#include <clipping_planes_vertex>
	vWorldPosition = worldPosition.xyz;
}`,distance_frag:`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	float dist = length( vWorldPosition - referencePosition );
	dist = ( dist - nearDistance ) / ( farDistance - nearDistance );
	dist = saturate( dist );
	gl_FragColor = vec4( dist, 0.0, 0.0, 1.0 );
}`,equirect_vert:`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
}`,equirect_frag:`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
	vec3 direction = normalize( vWorldDirection );
	vec2 sampleUV = equirectUv( direction );
	gl_FragColor = texture2D( tEquirect, sampleUV );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,linedashed_vert:`uniform float scale;
attribute float lineDistance;
varying float vLineDistance;
#include <common>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	vLineDistance = scale * lineDistance;
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,linedashed_frag:`uniform vec3 diffuse;
uniform float opacity;
uniform float dashSize;
uniform float totalSize;
varying float vLineDistance;
#include <common>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	if ( mod( vLineDistance, totalSize ) > dashSize ) {
		discard;
	}
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,meshbasic_vert:`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinbase_vertex>
		#include <skinnormal_vertex>
		#include <defaultnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <fog_vertex>
}`,meshbasic_frag:`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
	varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		reflectedLight.indirectDiffuse += lightMapTexel.rgb * lightMapIntensity * RECIPROCAL_PI;
	#else
		reflectedLight.indirectDiffuse += vec3( 1.0 );
	#endif
	#include <aomap_fragment>
	reflectedLight.indirectDiffuse *= diffuseColor.rgb;
	vec3 outgoingLight = reflectedLight.indirectDiffuse;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshlambert_vert:`#define LAMBERT
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,meshlambert_frag:`#define LAMBERT
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_lambert_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_lambert_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshmatcap_vert:`#define MATCAP
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <displacementmap_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
	vViewPosition = - mvPosition.xyz;
}`,meshmatcap_frag:`#define MATCAP
uniform vec3 diffuse;
uniform float opacity;
uniform sampler2D matcap;
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	vec3 viewDir = normalize( vViewPosition );
	vec3 x = normalize( vec3( viewDir.z, 0.0, - viewDir.x ) );
	vec3 y = cross( viewDir, x );
	vec2 uv = vec2( dot( x, normal ), dot( y, normal ) ) * 0.495 + 0.5;
	#ifdef USE_MATCAP
		vec4 matcapColor = texture2D( matcap, uv );
	#else
		vec4 matcapColor = vec4( vec3( mix( 0.2, 0.8, uv.y ) ), 1.0 );
	#endif
	vec3 outgoingLight = diffuseColor.rgb * matcapColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshnormal_vert:`#define NORMAL
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	vViewPosition = - mvPosition.xyz;
#endif
}`,meshnormal_frag:`#define NORMAL
uniform float opacity;
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <uv_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 0.0, 0.0, 0.0, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	gl_FragColor = vec4( normalize( normal ) * 0.5 + 0.5, diffuseColor.a );
	#ifdef OPAQUE
		gl_FragColor.a = 1.0;
	#endif
}`,meshphong_vert:`#define PHONG
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,meshphong_frag:`#define PHONG
uniform vec3 diffuse;
uniform vec3 emissive;
uniform vec3 specular;
uniform float shininess;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_phong_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_phong_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + reflectedLight.directSpecular + reflectedLight.indirectSpecular + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshphysical_vert:`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
	varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
#ifdef USE_TRANSMISSION
	vWorldPosition = worldPosition.xyz;
#endif
}`,meshphysical_frag:`#define STANDARD
#ifdef PHYSICAL
	#define IOR
	#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
	uniform float ior;
#endif
#ifdef USE_SPECULAR
	uniform float specularIntensity;
	uniform vec3 specularColor;
	#ifdef USE_SPECULAR_COLORMAP
		uniform sampler2D specularColorMap;
	#endif
	#ifdef USE_SPECULAR_INTENSITYMAP
		uniform sampler2D specularIntensityMap;
	#endif
#endif
#ifdef USE_CLEARCOAT
	uniform float clearcoat;
	uniform float clearcoatRoughness;
#endif
#ifdef USE_DIFFUSE_ROUGHNESS
	uniform float diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		uniform sampler2D diffuseRoughnessMap;
	#endif
#endif
#ifdef USE_DISPERSION
	uniform float dispersion;
#endif
#ifdef USE_RETROREFLECTION
	uniform float retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	uniform float iridescence;
	uniform float iridescenceIOR;
	uniform float iridescenceThicknessMinimum;
	uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
	uniform vec3 sheenColor;
	uniform float sheenRoughness;
	#ifdef USE_SHEEN_COLORMAP
		uniform sampler2D sheenColorMap;
	#endif
	#ifdef USE_SHEEN_ROUGHNESSMAP
		uniform sampler2D sheenRoughnessMap;
	#endif
#endif
#ifdef USE_ANISOTROPY
	uniform vec2 anisotropyVector;
	#ifdef USE_ANISOTROPYMAP
		uniform sampler2D anisotropyMap;
	#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <roughnessmap_fragment>
	#include <metalnessmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <clearcoat_normal_fragment_begin>
	#include <clearcoat_normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_physical_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 totalDiffuse = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
	vec3 totalSpecular = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
	#include <transmission_fragment>
	vec3 outgoingLight = totalDiffuse + totalSpecular + totalEmissiveRadiance;
	#ifdef USE_SHEEN
 
		outgoingLight = outgoingLight + sheenSpecularDirect + sheenSpecularIndirect;
 
 	#endif
	#ifdef USE_CLEARCOAT
		float dotNVcc = saturate( dot( geometryClearcoatNormal, geometryViewDir ) );
		vec3 Fcc = F_Schlick( material.clearcoatF0, material.clearcoatF90, dotNVcc );
		outgoingLight = outgoingLight * ( 1.0 - material.clearcoat * Fcc ) + ( clearcoatSpecularDirect + clearcoatSpecularIndirect ) * material.clearcoat;
	#endif
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshtoon_vert:`#define TOON
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,meshtoon_frag:`#define TOON
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <gradientmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_toon_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_toon_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,points_vert:`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
	varying vec2 vUv;
	uniform mat3 uvTransform;
#endif
void main() {
	#ifdef USE_POINTS_UV
		vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	#endif
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	gl_PointSize = size;
	#ifdef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) gl_PointSize *= ( scale / - mvPosition.z );
	#endif
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <fog_vertex>
}`,points_frag:`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_particle_fragment>
	#include <color_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,shadow_vert:`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main() {
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,shadow_frag:`uniform vec3 color;
uniform float opacity;
#include <common>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main() {
	#include <logdepthbuf_fragment>
	gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,sprite_vert:`uniform float rotation;
uniform vec2 center;
#include <common>
#include <uv_pars_vertex>
#include <fog_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	vec4 mvPosition = modelViewMatrix[ 3 ];
	vec2 scale = vec2( length( modelMatrix[ 0 ].xyz ), length( modelMatrix[ 1 ].xyz ) );
	#ifndef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) scale *= - mvPosition.z;
	#endif
	vec2 alignedPosition = ( position.xy - ( center - vec2( 0.5 ) ) ) * scale;
	vec2 rotatedPosition;
	rotatedPosition.x = cos( rotation ) * alignedPosition.x - sin( rotation ) * alignedPosition.y;
	rotatedPosition.y = sin( rotation ) * alignedPosition.x + cos( rotation ) * alignedPosition.y;
	mvPosition.xy += rotatedPosition;
	gl_Position = projectionMatrix * mvPosition;
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,sprite_frag:`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`},$={common:{diffuse:{value:new Q(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new uf},alphaMap:{value:null},alphaMapTransform:{value:new uf},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new uf}},envmap:{envMap:{value:null},envMapRotation:{value:new uf},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98},dfgLUT:{value:null}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new uf}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new uf}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new uf},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new uf},normalScale:{value:new X(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new uf},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new uf}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new uf}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new uf}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new Q(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},sunLights:{value:[],properties:{direction:{},color:{}}},sunLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},sunShadowMatrix:{value:[]},sunShadowCascade:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null},probesSH:{value:[]},probesMin:{value:[]},probesMax:{value:[]},probesResolution:{value:[]}},points:{diffuse:{value:new Q(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new uf},alphaTest:{value:0},uvTransform:{value:new uf}},sprite:{diffuse:{value:new Q(16777215)},opacity:{value:1},center:{value:new X(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new uf},alphaMap:{value:null},alphaMapTransform:{value:new uf},alphaTest:{value:0}}},o_={basic:{uniforms:Lh([$.common,$.specularmap,$.envmap,$.aomap,$.lightmap,$.fog]),vertexShader:a_.meshbasic_vert,fragmentShader:a_.meshbasic_frag},lambert:{uniforms:Lh([$.common,$.specularmap,$.envmap,$.aomap,$.lightmap,$.emissivemap,$.bumpmap,$.normalmap,$.displacementmap,$.fog,$.lights,{emissive:{value:new Q(0)},envMapIntensity:{value:1}}]),vertexShader:a_.meshlambert_vert,fragmentShader:a_.meshlambert_frag},phong:{uniforms:Lh([$.common,$.specularmap,$.envmap,$.aomap,$.lightmap,$.emissivemap,$.bumpmap,$.normalmap,$.displacementmap,$.fog,$.lights,{emissive:{value:new Q(0)},specular:{value:new Q(1118481)},shininess:{value:30},envMapIntensity:{value:1}}]),vertexShader:a_.meshphong_vert,fragmentShader:a_.meshphong_frag},standard:{uniforms:Lh([$.common,$.envmap,$.aomap,$.lightmap,$.emissivemap,$.bumpmap,$.normalmap,$.displacementmap,$.roughnessmap,$.metalnessmap,$.fog,$.lights,{emissive:{value:new Q(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:a_.meshphysical_vert,fragmentShader:a_.meshphysical_frag},toon:{uniforms:Lh([$.common,$.aomap,$.lightmap,$.emissivemap,$.bumpmap,$.normalmap,$.displacementmap,$.gradientmap,$.fog,$.lights,{emissive:{value:new Q(0)}}]),vertexShader:a_.meshtoon_vert,fragmentShader:a_.meshtoon_frag},matcap:{uniforms:Lh([$.common,$.bumpmap,$.normalmap,$.displacementmap,$.fog,{matcap:{value:null}}]),vertexShader:a_.meshmatcap_vert,fragmentShader:a_.meshmatcap_frag},points:{uniforms:Lh([$.points,$.fog]),vertexShader:a_.points_vert,fragmentShader:a_.points_frag},dashed:{uniforms:Lh([$.common,$.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:a_.linedashed_vert,fragmentShader:a_.linedashed_frag},depth:{uniforms:Lh([$.common,$.displacementmap]),vertexShader:a_.depth_vert,fragmentShader:a_.depth_frag},normal:{uniforms:Lh([$.common,$.bumpmap,$.normalmap,$.displacementmap,{opacity:{value:1}}]),vertexShader:a_.meshnormal_vert,fragmentShader:a_.meshnormal_frag},sprite:{uniforms:Lh([$.sprite,$.fog]),vertexShader:a_.sprite_vert,fragmentShader:a_.sprite_frag},background:{uniforms:{uvTransform:{value:new uf},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:a_.background_vert,fragmentShader:a_.background_frag},backgroundCube:{uniforms:{envMap:{value:null},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new uf}},vertexShader:a_.backgroundCube_vert,fragmentShader:a_.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:a_.cube_vert,fragmentShader:a_.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:a_.equirect_vert,fragmentShader:a_.equirect_frag},distance:{uniforms:Lh([$.common,$.displacementmap,{referencePosition:{value:new Z},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:a_.distance_vert,fragmentShader:a_.distance_frag},shadow:{uniforms:Lh([$.lights,$.fog,{color:{value:new Q(0)},opacity:{value:1}}]),vertexShader:a_.shadow_vert,fragmentShader:a_.shadow_frag}};o_.physical={uniforms:Lh([o_.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new uf},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new uf},clearcoatNormalScale:{value:new X(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new uf},diffuseRoughness:{value:0},diffuseRoughnessMap:{value:null},diffuseRoughnessMapTransform:{value:new uf},dispersion:{value:0},retroreflectivity:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new uf},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new uf},sheen:{value:0},sheenColor:{value:new Q(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new uf},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new uf},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new uf},transmissionSamplerSize:{value:new X},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new uf},attenuationDistance:{value:0},attenuationColor:{value:new Q(0)},specularColor:{value:new Q(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new uf},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new uf},anisotropyVector:{value:new X},anisotropyMap:{value:null},anisotropyMapTransform:{value:new uf}}]),vertexShader:a_.meshphysical_vert,fragmentShader:a_.meshphysical_frag};var s_={r:0,b:0,g:0},c_=new jf,l_=new uf;l_.set(-1,0,0,0,1,0,0,0,1);function u_(e,t,n,r,i,a){let o=new Q(0),s=i===!0?0:1,c,l,u=null,d=0,f=null;function p(e){let n=e.isScene===!0?e.background:null;if(n&&n.isTexture){let r=e.backgroundBlurriness>0;n=t.get(n,r)}return n}function m(t){let r=!1,i=p(t);i===null?g(o,s):i&&i.isColor&&(g(i,1),r=!0);let c=e.xr.getEnvironmentBlendMode();c===`additive`?n.buffers.color.setClear(0,0,0,1,a):c===`alpha-blend`&&n.buffers.color.setClear(0,0,0,0,a),(e.autoClear||r)&&(n.buffers.depth.setTest(!0),n.buffers.depth.setMask(!0),n.buffers.color.setMask(!0),e.clear(e.autoClearColor,e.autoClearDepth,e.autoClearStencil))}function h(t,n){let i=p(n);i&&i.isCubeTexture?(l===void 0&&(l=new jm(new Oh(1,1,1),new Wh({name:`BackgroundCubeMaterial`,uniforms:Ih(o_.backgroundCube.uniforms),vertexShader:o_.backgroundCube.vertexShader,fragmentShader:o_.backgroundCube.fragmentShader,side:1,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),l.geometry.deleteAttribute(`normal`),l.geometry.deleteAttribute(`uv`),l.onBeforeRender=function(e,t,n){this.matrixWorld.copyPosition(n.matrixWorld)},Object.defineProperty(l.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),r.update(l)),l.material.uniforms.envMap.value=i,l.material.uniforms.backgroundBlurriness.value=n.backgroundBlurriness,l.material.uniforms.backgroundIntensity.value=n.backgroundIntensity,l.material.uniforms.backgroundRotation.value.setFromMatrix4(c_.makeRotationFromEuler(n.backgroundRotation)).transpose(),i.isRenderTargetTexture===!1&&l.material.uniforms.backgroundRotation.value.premultiply(l_),l.material.toneMapped=hf.getTransfer(i.colorSpace)!==_d,(u!==i||d!==i.version||f!==e.toneMapping)&&(l.material.needsUpdate=!0,u=i,d=i.version,f=e.toneMapping),l.layers.enableAll(),t.unshift(l,l.geometry,l.material,0,0,null)):i&&i.isTexture&&(c===void 0&&(c=new jm(new Mh(2,2),new Wh({name:`BackgroundMaterial`,uniforms:Ih(o_.background.uniforms),vertexShader:o_.background.vertexShader,fragmentShader:o_.background.fragmentShader,side:0,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),c.geometry.deleteAttribute(`normal`),Object.defineProperty(c.material,"map",{get:function(){return this.uniforms.t2D.value}}),r.update(c)),c.material.uniforms.t2D.value=i,c.material.uniforms.backgroundIntensity.value=n.backgroundIntensity,c.material.toneMapped=hf.getTransfer(i.colorSpace)!==_d,i.matrixAutoUpdate===!0&&i.updateMatrix(),c.material.uniforms.uvTransform.value.copy(i.matrix),(u!==i||d!==i.version||f!==e.toneMapping)&&(c.material.needsUpdate=!0,u=i,d=i.version,f=e.toneMapping),c.layers.enableAll(),t.unshift(c,c.geometry,c.material,0,0,null))}function g(t,r){t.getRGB(s_,Bh(e)),n.buffers.color.setClear(s_.r,s_.g,s_.b,r,a)}function _(){l!==void 0&&(l.geometry.dispose(),l.material.dispose(),l=void 0),c!==void 0&&(c.geometry.dispose(),c.material.dispose(),c=void 0)}return{getClearColor:function(){return o},setClearColor:function(e,t=1){o.set(e),s=t,g(o,s)},getClearAlpha:function(){return s},setClearAlpha:function(e){s=e,g(o,s)},render:m,addToRenderList:h,dispose:_}}function d_(e,t){let n=e.getParameter(e.MAX_VERTEX_ATTRIBS),r={},i=f(null),a=i,o=!1;function s(n,r,i,s,c){let u=!1,f=d(n,s,i,r);a!==f&&(a=f,l(a.object)),u=p(n,s,i,c),u&&m(n,s,i,c),c!==null&&t.update(c,e.ELEMENT_ARRAY_BUFFER),(u||o)&&(o=!1,b(n,r,i,s),c!==null&&e.bindBuffer(e.ELEMENT_ARRAY_BUFFER,t.get(c).buffer))}function c(){return e.createVertexArray()}function l(t){return e.bindVertexArray(t)}function u(t){return e.deleteVertexArray(t)}function d(e,t,n,i){let a=i.wireframe===!0,o=r[t.id];o===void 0&&(o={},r[t.id]=o);let s=e.isInstancedMesh===!0?e.id:0,l=o[s];l===void 0&&(l={},o[s]=l);let u=l[n.id];u===void 0&&(u={},l[n.id]=u);let d=u[a];return d===void 0&&(d=f(c()),u[a]=d),d}function f(e){let t=[],r=[],i=[];for(let e=0;e<n;e++)t[e]=0,r[e]=0,i[e]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:t,enabledAttributes:r,attributeDivisors:i,object:e,attributes:{},index:null}}function p(e,t,n,r){let i=a.attributes,o=t.attributes,s=0,c=n.getAttributes();for(let t in c)if(c[t].location>=0){let n=i[t],r=o[t];if(r===void 0&&(t===`instanceMatrix`&&e.instanceMatrix&&(r=e.instanceMatrix),t===`instanceColor`&&e.instanceColor&&(r=e.instanceColor)),n===void 0||n.attribute!==r||r&&n.data!==r.data)return!0;s++}return a.attributesNum!==s||a.index!==r}function m(e,t,n,r){let i={},o=t.attributes,s=0,c=n.getAttributes();for(let t in c)if(c[t].location>=0){let n=o[t];n===void 0&&(t===`instanceMatrix`&&e.instanceMatrix&&(n=e.instanceMatrix),t===`instanceColor`&&e.instanceColor&&(n=e.instanceColor));let r={};r.attribute=n,n&&n.data&&(r.data=n.data),i[t]=r,s++}a.attributes=i,a.attributesNum=s,a.index=r}function h(){let e=a.newAttributes;for(let t=0,n=e.length;t<n;t++)e[t]=0}function g(e){_(e,0)}function _(t,n){let r=a.newAttributes,i=a.enabledAttributes,o=a.attributeDivisors;r[t]=1,i[t]===0&&(e.enableVertexAttribArray(t),i[t]=1),o[t]!==n&&(e.vertexAttribDivisor(t,n),o[t]=n)}function v(){let t=a.newAttributes,n=a.enabledAttributes;for(let r=0,i=n.length;r<i;r++)n[r]!==t[r]&&(e.disableVertexAttribArray(r),n[r]=0)}function y(t,n,r,i,a,o,s){s===!0?e.vertexAttribIPointer(t,n,r,a,o):e.vertexAttribPointer(t,n,r,i,a,o)}function b(n,r,i,a){h();let o=a.attributes,s=i.getAttributes(),c=r.defaultAttributeValues;for(let r in s){let i=s[r];if(i.location>=0){let s=o[r];if(s===void 0&&(r===`instanceMatrix`&&n.instanceMatrix&&(s=n.instanceMatrix),r===`instanceColor`&&n.instanceColor&&(s=n.instanceColor)),s!==void 0){let r=s.normalized,o=s.itemSize,c=t.get(s);if(c===void 0)continue;let l=c.buffer,u=c.type,d=c.bytesPerElement,f=u===e.INT||u===e.UNSIGNED_INT||s.gpuType===1013;if(s.isInterleavedBufferAttribute){let t=s.data,c=t.isInterleavedBuffer===!0?t.stride:t.itemSize,p=s.offset;if(t.isInstancedInterleavedBuffer||t.isInstancedBufferAttribute){for(let e=0;e<i.locationSize;e++)_(i.location+e,t.meshPerAttribute);n.isInstancedMesh!==!0&&a._maxInstanceCount===void 0&&(a._maxInstanceCount=t.meshPerAttribute*t.count)}else for(let e=0;e<i.locationSize;e++)g(i.location+e);e.bindBuffer(e.ARRAY_BUFFER,l);for(let e=0;e<i.locationSize;e++)y(i.location+e,o/i.locationSize,u,r,c*d,(p+o/i.locationSize*e)*d,f)}else{if(s.isInstancedBufferAttribute){for(let e=0;e<i.locationSize;e++)_(i.location+e,s.meshPerAttribute);n.isInstancedMesh!==!0&&a._maxInstanceCount===void 0&&(a._maxInstanceCount=s.meshPerAttribute*s.count)}else for(let e=0;e<i.locationSize;e++)g(i.location+e);e.bindBuffer(e.ARRAY_BUFFER,l);for(let e=0;e<i.locationSize;e++)y(i.location+e,o/i.locationSize,u,r,o*d,o/i.locationSize*e*d,f)}}else if(c!==void 0){let t=c[r];if(t!==void 0)switch(t.length){case 2:e.vertexAttrib2fv(i.location,t);break;case 3:e.vertexAttrib3fv(i.location,t);break;case 4:e.vertexAttrib4fv(i.location,t);break;default:e.vertexAttrib1fv(i.location,t)}}}}v()}function x(){T();for(let e in r){let t=r[e];for(let e in t){let n=t[e];for(let e in n){let t=n[e];for(let e in t)u(t[e].object),delete t[e];delete n[e]}}delete r[e]}}function S(e){if(r[e.id]===void 0)return;let t=r[e.id];for(let e in t){let n=t[e];for(let e in n){let t=n[e];for(let e in t)u(t[e].object),delete t[e];delete n[e]}}delete r[e.id]}function C(e){for(let t in r){let n=r[t];for(let t in n){let r=n[t];if(r[e.id]===void 0)continue;let i=r[e.id];for(let e in i)u(i[e].object),delete i[e];delete r[e.id]}}}function w(e){for(let t in r){let n=r[t],i=e.isInstancedMesh===!0?e.id:0,a=n[i];if(a!==void 0){for(let e in a){let t=a[e];for(let e in t)u(t[e].object),delete t[e];delete a[e]}delete n[i],Object.keys(n).length===0&&delete r[t]}}}function T(){E(),o=!0,a!==i&&(a=i,l(a.object))}function E(){i.geometry=null,i.program=null,i.wireframe=!1}return{setup:s,reset:T,resetDefaultState:E,dispose:x,releaseStatesOfGeometry:S,releaseStatesOfObject:w,releaseStatesOfProgram:C,initAttributes:h,enableAttribute:g,disableUnusedAttributes:v}}function f_(e,t,n){let r;function i(e){r=e}function a(t,i){e.drawArrays(r,t,i),n.update(i,r,1)}function o(t,i,a){a!==0&&(e.drawArraysInstanced(r,t,i,a),n.update(i,r,a))}function s(e,i,a){if(a===0)return;t.get(`WEBGL_multi_draw`).multiDrawArraysWEBGL(r,e,0,i,0,a);let o=0;for(let e=0;e<a;e++)o+=i[e];n.update(o,r,1)}this.setMode=i,this.render=a,this.renderInstances=o,this.renderMultiDraw=s}function p_(e,t,n,r){let i;function a(){if(i!==void 0)return i;if(t.has(`EXT_texture_filter_anisotropic`)===!0){let n=t.get(`EXT_texture_filter_anisotropic`);i=e.getParameter(n.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else i=0;return i}function o(t){return t===1023||r.convert(t)===e.getParameter(e.IMPLEMENTATION_COLOR_READ_FORMAT)}function s(n){let i=n===1016&&(t.has(`EXT_color_buffer_half_float`)||t.has(`EXT_color_buffer_float`));return!(n!==1009&&n!==1015&&!i&&r.convert(n)!==e.getParameter(e.IMPLEMENTATION_COLOR_READ_TYPE))}function c(t){if(t===`highp`){if(e.getShaderPrecisionFormat(e.VERTEX_SHADER,e.HIGH_FLOAT).precision>0&&e.getShaderPrecisionFormat(e.FRAGMENT_SHADER,e.HIGH_FLOAT).precision>0)return`highp`;t=`mediump`}return t===`mediump`&&e.getShaderPrecisionFormat(e.VERTEX_SHADER,e.MEDIUM_FLOAT).precision>0&&e.getShaderPrecisionFormat(e.FRAGMENT_SHADER,e.MEDIUM_FLOAT).precision>0?`mediump`:`lowp`}let l=n.precision===void 0?`highp`:n.precision,u=c(l);u!==l&&(J(`WebGLRenderer:`,l,`not supported, using`,u,`instead.`),l=u);let d=n.reversedDepthBuffer===!0&&t.has(`EXT_clip_control`),f=n.logarithmicDepthBuffer===!0&&d===!1;n.reversedDepthBuffer===!0&&d===!1&&J(`WebGLRenderer: Unable to use reversed depth buffer due to missing EXT_clip_control extension. Fallback to default depth buffer.`),n.logarithmicDepthBuffer===!0&&d===!0&&J(`WebGLRenderer: Logarithmic depth buffer is ignored when reversed depth buffer is enabled.`);let p=e.getParameter(e.MAX_TEXTURE_IMAGE_UNITS),m=e.getParameter(e.MAX_VERTEX_TEXTURE_IMAGE_UNITS),h=e.getParameter(e.MAX_TEXTURE_SIZE),g=e.getParameter(e.MAX_CUBE_MAP_TEXTURE_SIZE),_=e.getParameter(e.MAX_VERTEX_ATTRIBS),v=e.getParameter(e.MAX_VERTEX_UNIFORM_VECTORS),y=e.getParameter(e.MAX_VARYING_VECTORS),b=e.getParameter(e.MAX_FRAGMENT_UNIFORM_VECTORS),x=e.getParameter(e.MAX_SAMPLES),S=e.getParameter(e.SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:a,getMaxPrecision:c,textureFormatReadable:o,textureTypeReadable:s,precision:l,logarithmicDepthBuffer:f,reversedDepthBuffer:d,maxTextures:p,maxVertexTextures:m,maxTextureSize:h,maxCubemapSize:g,maxAttributes:_,maxVertexUniforms:v,maxVaryings:y,maxFragmentUniforms:b,maxSamples:x,samples:S}}function m_(e){let t=this,n=null,r=0,i=!1,a=!1,o=new dm,s=new uf,c={value:null,needsUpdate:!1};this.uniform=c,this.numPlanes=0,this.numIntersection=0,this.init=function(e,t){let n=e.length!==0||t||r!==0||i;return i=t,r=e.length,n},this.beginShadows=function(){a=!0,u(null)},this.endShadows=function(){a=!1},this.setGlobalState=function(e,t){n=u(e,t,0)},this.setState=function(t,o,s){let d=t.clippingPlanes,f=t.clipIntersection,p=t.clipShadows,m=e.get(t);if(!i||d===null||d.length===0||a&&!p)a?u(null):l();else{let e=a?0:r,t=e*4,i=m.clippingState||null;c.value=i,i=u(d,o,t,s);for(let e=0;e!==t;++e)i[e]=n[e];m.clippingState=i,this.numIntersection=f?this.numPlanes:0,this.numPlanes+=e}};function l(){c.value!==n&&(c.value=n,c.needsUpdate=r>0),t.numPlanes=r,t.numIntersection=0}function u(e,n,r,i){let a=e===null?0:e.length,l=null;if(a!==0){if(l=c.value,i!==!0||l===null){let t=r+a*4,i=n.matrixWorldInverse;s.getNormalMatrix(i),(l===null||l.length<t)&&(l=new Float32Array(t));for(let t=0,n=r;t!==a;++t,n+=4)o.copy(e[t]).applyMatrix4(i,s),o.normal.toArray(l,n),l[n+3]=o.constant}c.value=l,c.needsUpdate=!0}return t.numPlanes=a,t.numIntersection=0,l}}var h_=class extends Of{constructor(e=1,t={}){super(e,e,t),this.isWebGLCubeRenderTarget=!0;let n={width:e,height:e,depth:1},r=[n,n,n,n,n,n];this.texture=new Ch(r),this._setTextureOptions(t),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(e,t){this.texture.type=t.type,this.texture.colorSpace=t.colorSpace,this.texture.generateMipmaps=t.generateMipmaps,this.texture.minFilter=t.minFilter,this.texture.magFilter=t.magFilter;let n={uniforms:{tEquirect:{value:null}},vertexShader:`

				varying vec3 vWorldDirection;

				vec3 transformDirection( in vec3 dir, in mat4 matrix ) {

					return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );

				}

				void main() {

					vWorldDirection = transformDirection( position, modelMatrix );

					#include <begin_vertex>
					#include <project_vertex>

				}
			`,fragmentShader:`

				uniform sampler2D tEquirect;

				varying vec3 vWorldDirection;

				#include <common>

				void main() {

					vec3 direction = normalize( vWorldDirection );

					vec2 sampleUV = equirectUv( direction );

					gl_FragColor = texture2D( tEquirect, sampleUV );

				}
			`},r=new Oh(5,5,5),i=new Wh({name:`CubemapFromEquirect`,uniforms:Ih(n.uniforms),vertexShader:n.vertexShader,fragmentShader:n.fragmentShader,side:1,blending:0});i.uniforms.tEquirect.value=t;let a=new jm(r,i),o=t.minFilter;return t.minFilter===1008&&(t.minFilter=Ql),new Fg(1,10,this).update(e,a),t.minFilter=o,a.geometry.dispose(),a.material.dispose(),this}clear(e,t=!0,n=!0,r=!0){let i=e.getRenderTarget();for(let i=0;i<6;i++)e.setRenderTarget(this,i),e.clear(t,n,r);e.setRenderTarget(i)}},g_=256,__=3,v_=20,y_=256,b_=16,x_=3,S_=new Z,C_=new Q,w_=class e{constructor(e){this._renderer=e,this._cubeSize=0,this._sourceTarget=null,this._cubeCamera=new Fg(1,10,null),this._boxMesh=new jm(new Oh(5,5,5),null),this._cubemapMaterial=null,this._equirectMaterial=null,this._blurMaterial=null,this._ggxMaterial=null,this._integrationMaterial=null}fromScene(e,t=0,n=.1,r=100,i={}){let{size:a=256,position:o=S_}=i,s=this._renderer;this._setSize(a);let c=this._allocateTarget(),l=this._getSourceTarget(!0);t>0&&(l.texture.mipmapsAutoUpdate=!1);let u=s.autoClear,d=s.autoClearColor,f=s.autoClearDepth,p=s.autoClearStencil,m=e.background;s.autoClear=!0,s.autoClearColor=!0,s.autoClearDepth=!0,s.autoClearStencil=!0,m===null&&(e.background=s.getClearColor(C_));let h=new Fg(n,r,l);return h.position.copy(o),h.update(s,e),s.autoClear=u,s.autoClearColor=d,s.autoClearDepth=f,s.autoClearStencil=p,e.background=m,t>0&&(l.texture.mipmapsAutoUpdate=!0,this._blur(c,t)),this._applyPMREM(c),c}fromEquirectangular(e,t=null){return this._fromTexture(e,t)}fromCubemap(e,t=null){return this._fromTexture(e,t)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=j_(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=A_(),this._compileMaterial(this._equirectMaterial))}dispose(){this._sourceTarget!==null&&this._sourceTarget.dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose(),this._blurMaterial!==null&&this._blurMaterial.dispose(),this._ggxMaterial!==null&&this._ggxMaterial.dispose(),this._integrationMaterial!==null&&this._integrationMaterial.dispose(),this._boxMesh.geometry.dispose()}static lodToRoughness(e,t){return t>0?1-Math.sqrt(1-e/t):0}_setSize(e){this._cubeSize=Math.max(g_,ef(e))}_fromTexture(e,t){e.mapping===301||e.mapping===302?this._setSize(e.image.length===0?g_:e.image[0].width||e.image[0].image.width):this._setSize(e.image.width/4);let n=t||this._allocateTarget();return this._textureToCubemap(e),this._applyPMREM(n),n}_allocateTarget(){let e=this._cubeSize,t=T_(e,!1,!1),n=Math.log2(e)-__;for(let r=0;r<=n;r++)t.texture.mipmaps.push({width:e>>r,height:e>>r});return t.texture.name=`PMREM`,t.texture.isPMREMTexture=!0,t}_getSourceTarget(e=!1){let t=this._cubeSize,n=this._sourceTarget;return(n===null||n.width!==t||e&&n.depthBuffer===!1)&&(n!==null&&n.dispose(),this._sourceTarget=T_(t,!0,e)),this._sourceTarget}_compileMaterial(e){this._boxMesh.material=e,this._renderer.compile(this._boxMesh,this._cubeCamera.children[0])}_renderCube(e,t,n){let r=this._boxMesh,i=this._cubeCamera;r.material=n,i.renderTarget=e,i.activeMipmapLevel=t;let a=e.width>>t;e.viewport.set(0,0,a,a),i.update(this._renderer,r),e.viewport.set(0,0,e.width,e.height)}_textureToCubemap(e){let t;e.mapping===301||e.mapping===302?(this._cubemapMaterial===null&&(this._cubemapMaterial=j_()),t=this._cubemapMaterial,t.uniforms.flipEnvMap.value=e.isRenderTargetTexture===!1?-1:1):(this._equirectMaterial===null&&(this._equirectMaterial=A_()),t=this._equirectMaterial),t.uniforms.envMap.value=e,this._renderCube(this._getSourceTarget(),0,t)}_applyPMREM(t){this._ggxMaterial===null&&(this._ggxMaterial=D_(),this._integrationMaterial=O_());let n=this._cubeSize,r=t.texture.mipmaps.length-1,i=this._ggxMaterial.uniforms;i.envMap.value=this._sourceTarget.texture;let a=this._integrationMaterial.uniforms;a.envMap.value=this._sourceTarget.texture,a.sourceLod.value=Math.log2(n/b_);for(let o=0;o<=r;o++){let s=e.lodToRoughness(o,r);if(o>r-x_)a.roughness.value=s,this._renderCube(t,o,this._integrationMaterial);else{let e=s>0?Math.log2(n)+.5*Math.log2(6/(y_*s**4))+.5:0;i.roughness.value=s,i.lodBias.value=e,this._renderCube(t,o,this._ggxMaterial)}}}_blur(e,t){this._blurMaterial===null&&(this._blurMaterial=k_());let n=this._blurMaterial,r=n.uniforms,i=this._sourceTarget;r.sigma.value=Math.min(t,Math.PI)/Math.SQRT2,r.envMap.value=i.texture,this._renderCube(e,0,n),r.envMap.value=e.texture,this._renderCube(i,0,n)}};function T_(e,t,n){return new h_(e,{minFilter:eu,generateMipmaps:t,type:cu,colorSpace:hd,depthBuffer:n})}function E_(e,t,n){return new Wh({name:e,uniforms:t,vertexShader:a_.cube_vert,fragmentShader:n,side:1,blending:0,depthTest:!1,depthWrite:!1})}function D_(){return E_(`PMREMGGXConvolution`,{envMap:{value:null},roughness:{value:0},lodBias:{value:0}},`

		#define GGX_SAMPLES ${y_}u

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float lodBias;

		#include <common>

		// Van der Corput radical inverse
		float radicalInverse_VdC( uint bits ) {

			bits = ( bits << 16u ) | ( bits >> 16u );
			bits = ( ( bits & 0x55555555u ) << 1u ) | ( ( bits & 0xAAAAAAAAu ) >> 1u );
			bits = ( ( bits & 0x33333333u ) << 2u ) | ( ( bits & 0xCCCCCCCCu ) >> 2u );
			bits = ( ( bits & 0x0F0F0F0Fu ) << 4u ) | ( ( bits & 0xF0F0F0F0u ) >> 4u );
			bits = ( ( bits & 0x00FF00FFu ) << 8u ) | ( ( bits & 0xFF00FF00u ) >> 8u );
			return float( bits ) * 2.3283064365386963e-10; // / 0x100000000

		}

		// Hammersley sequence
		vec2 hammersley( uint i, uint N ) {

			return vec2( float( i ) / float( N ), radicalInverse_VdC( i ) );

		}

		void main() {

			vec3 N = normalize( vWorldDirection );

			// For very low roughness, just sample the environment directly
			if ( roughness < 0.001 ) {

				gl_FragColor = vec4( textureLod( envMap, N, 0.0 ).rgb, 1.0 );
				return;

			}

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			// Tangent space basis for VNDF sampling
			vec3 up = abs( N.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, N ) );
			vec3 bitangent = cross( N, tangent );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			for ( uint i = 0u; i < GGX_SAMPLES; i ++ ) {

				vec2 Xi = hammersley( i, GGX_SAMPLES );

				// With V = N, sample the reflected direction directly.
				float invQ = 1.0 / ( 1.0 - Xi.x + alpha2 * Xi.x );
				float NdotL = ( 1.0 - Xi.x - alpha2 * Xi.x ) * invQ;

				if ( NdotL > 0.0 ) {

					float phi = 2.0 * PI * Xi.y;
					float sinTheta = 2.0 * alpha * sqrt( Xi.x * ( 1.0 - Xi.x ) ) * invQ;
					vec3 L = N * NdotL + ( tangent * cos( phi ) + bitangent * sin( phi ) ) * sinTheta;

					// Match the source mip to the sample's solid angle. The terms
					// independent of the sample are precomputed in lodBias.
					float d = alpha2 * invQ;
					float lod = max( log2( d ) + lodBias, 0.0 );

					// Weight by NdotL for the split-sum approximation
					prefilteredColor += textureLod( envMap, L, lod ).rgb * NdotL;
					totalWeight += NdotL;

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function O_(){return E_(`PMREMGGXIntegration`,{envMap:{value:null},roughness:{value:0},sourceLod:{value:0},sourceSize:{value:b_}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float sourceLod;
		uniform int sourceSize;

		void main() {

			vec3 N = normalize( vWorldDirection );

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			float texelSize = 2.0 / float( sourceSize );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			// Pair opposite texels: only the one in N's hemisphere contributes.
			for ( int face = 0; face < 3; face ++ ) {

				for ( int y = 0; y < sourceSize; y ++ ) {

					for ( int x = 0; x < sourceSize; x ++ ) {

						vec2 uv = ( vec2( x, y ) + 0.5 ) * texelSize - 1.0;
						vec3 texelDirection = face == 0 ? vec3( 1.0, uv ) : ( face == 1 ? vec3( uv.x, 1.0, uv.y ) : vec3( uv, 1.0 ) );

						float invDistance = inversesqrt( 1.0 + dot( uv, uv ) );
						float NdotL = dot( N, texelDirection );
						texelDirection *= NdotL < 0.0 ? - 1.0 : 1.0;
						NdotL = abs( NdotL ) * invDistance;

						// With V = N, NdotH squared is ( 1 + NdotL ) / 2. Common factors
						// in the GGX distribution and texel solid angle cancel when normalized.
						float d = 1.0 + alpha2 + ( alpha2 - 1.0 ) * NdotL;
						float weight = NdotL * invDistance * invDistance * invDistance / ( d * d );

						prefilteredColor += textureLod( envMap, texelDirection, sourceLod ).rgb * weight;
						totalWeight += weight;

					}

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function k_(){return E_(`PMREMSphericalGaussianBlur`,{envMap:{value:null},sigma:{value:0}},`

		#define SAMPLES ${v_}
		#define GOLDEN_ANGLE 2.39996322973

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float sigma;

		#include <common>

		void main() {

			vec3 outputDirection = normalize( vWorldDirection );

			vec3 up = abs( outputDirection.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, outputDirection ) );
			vec3 bitangent = cross( outputDirection, tangent );

			// Truncate the kernel at three standard deviations or at the antipode.
			float thetaMax = min( 3.0 * sigma, PI );
			float truncation = 1.0 - exp( - 0.5 * thetaMax * thetaMax / ( sigma * sigma ) );

			vec3 accumColor = vec3( 0.0 );
			float accumWeight = 0.0;

			for ( int i = 0; i < SAMPLES; i ++ ) {

				// Stratified inverse-CDF sampling of the Gaussian, placed on a golden-angle spiral.
				float stratum = ( float( i ) + 0.5 ) / float( SAMPLES );
				float theta = sigma * sqrt( - 2.0 * log( 1.0 - stratum * truncation ) );
				float phi = float( i ) * GOLDEN_ANGLE;

				vec3 offset = cos( phi ) * tangent + sin( phi ) * bitangent;
				vec3 sampleDirection = cos( theta ) * outputDirection + sin( theta ) * offset;

				// Correct the planar sample density to solid angle.
				float weight = sin( theta ) / theta;

				accumColor += weight * textureLod( envMap, sampleDirection, 0.0 ).rgb;
				accumWeight += weight;

			}

			gl_FragColor = vec4( accumColor / accumWeight, 1.0 );

		}
	`)}function A_(){return E_(`PMREMEquirectangularToCubemap`,{envMap:{value:null}},`

		varying vec3 vWorldDirection;

		uniform sampler2D envMap;

		#include <common>

		void main() {

			// Average four subpixel samples to preserve small, bright features.
			vec3 direction = normalize( vWorldDirection );
			vec3 dx = dFdx( direction ) * 0.25;
			vec3 dy = dFdy( direction ) * 0.25;

			vec3 color = textureLod( envMap, equirectUv( normalize( direction - dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction - dx + dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx + dy ) ), 0.0 ).rgb;
			gl_FragColor = vec4( color * 0.25, 1.0 );

		}
	`)}function j_(){return E_(`PMREMCubemapToCubemap`,{envMap:{value:null},flipEnvMap:{value:-1}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float flipEnvMap;

		void main() {

			gl_FragColor = vec4( textureCube( envMap, vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) ).rgb, 1.0 );

		}
	`)}function M_(e){let t=new WeakMap,n=new WeakMap,r=null;function i(e,t=!1){return e==null?null:t?o(e):a(e)}function a(n){if(n&&n.isTexture){let r=n.mapping;if(r===303||r===304){if(t.has(n)){let e=t.get(n).texture;return s(e,n.mapping)}{let r=n.image;if(r&&r.height>0){let i=new h_(r.height);return i.fromEquirectangularTexture(e,n),t.set(n,i),n.addEventListener(`dispose`,l),s(i.texture,n.mapping)}return null}}}return n}function o(t){if(t&&t.isTexture&&t.isPMREMTexture!==!0){let i=t.mapping,a=i===303||i===304,o=i===301||i===302;if(a||o){let i=n.get(t),s=i===void 0?0:i.texture.pmremVersion;if(t.isRenderTargetTexture&&t.pmremVersion!==s)return r===null&&(r=new w_(e)),i=a?r.fromEquirectangular(t,i):r.fromCubemap(t,i),i.texture.pmremVersion=t.pmremVersion,n.set(t,i),i.texture;if(i!==void 0)return i.texture;{let s=t.image;return a&&s&&s.height>0||o&&s&&c(s)?(r===null&&(r=new w_(e)),i=a?r.fromEquirectangular(t):r.fromCubemap(t),i.texture.pmremVersion=t.pmremVersion,n.set(t,i),t.addEventListener(`dispose`,u),i.texture):null}}}return t}function s(e,t){return t===303?e.mapping=301:t===304&&(e.mapping=302),e}function c(e){let t=0;for(let n=0;n<6;n++)e[n]!==void 0&&t++;return t===6}function l(e){let n=e.target;n.removeEventListener(`dispose`,l);let r=t.get(n);r!==void 0&&(t.delete(n),r.dispose())}function u(e){let t=e.target;t.removeEventListener(`dispose`,u);let r=n.get(t);r!==void 0&&(n.delete(t),r.dispose())}function d(){t=new WeakMap,n=new WeakMap,r!==null&&(r.dispose(),r=null)}return{get:i,dispose:d}}function N_(e){let t={};function n(n){if(t[n]!==void 0)return t[n];let r=e.getExtension(n);return t[n]=r,r}return{has:function(e){return n(e)!==null},init:function(){n(`EXT_color_buffer_float`),n(`WEBGL_clip_cull_distance`),n(`OES_texture_float_linear`),n(`EXT_color_buffer_half_float`),n(`WEBGL_multisampled_render_to_texture`),n(`WEBGL_render_shared_exponent`)},get:function(e){let t=n(e);return t===null&&Od(`WebGLRenderer: `+e+` extension not supported.`),t}}}function P_(e,t,n,r){let i={},a=new WeakMap,o=new FinalizationRegistry(e=>delete i[e]);function s(e){c(e.target)}function c(e){e.index!==null&&t.remove(e.index);for(let n in e.attributes)t.remove(e.attributes[n]);e.removeEventListener(`dispose`,s),delete i[e.id],o.unregister(e);let c=a.get(e);c&&(t.remove(c),a.delete(e)),r.releaseStatesOfGeometry(e),e.isInstancedBufferGeometry===!0&&delete e._maxInstanceCount,n.memory.geometries--}function l(e,t){return i[t.id]===void 0&&(t.addEventListener(`dispose`,s),i[t.id]=new WeakRef(t),o.register(t,t.id,t),n.memory.geometries++),t}function u(n){let r=n.attributes;for(let n in r)t.update(r[n],e.ARRAY_BUFFER)}function d(e){let n=e.index,r=e.attributes.position,i=0;if(r===void 0)return;let o=n===null?r.array.length/3-1:n.array.length,s=new(r.count>=65535?Jp:qp)(Math.ceil(o/3)*6,1),c=s.array;if(n!==null){let e=n.array;i=n.version;for(let t=0,n=0;t<o;t+=3){let r=e[t+0],i=e[t+1],a=e[t+2];c[n++]=r,c[n++]=i,c[n++]=i,c[n++]=a,c[n++]=a,c[n++]=r}}else{i=r.version;for(let e=0,t=0;e<o;e+=3){let n=e+0,r=e+1,i=e+2;c[t++]=n,c[t++]=r,c[t++]=r,c[t++]=i,c[t++]=i,c[t++]=n}}s.version=i;let l=a.get(e);l&&t.remove(l),a.set(e,s)}function f(e){let t=a.get(e);if(t){let n=e.index;n!==null&&t.version<n.version&&d(e)}else d(e);return a.get(e)}function p(){for(let e in i){let t=i[e].deref();t!==void 0&&c(t)}}return{get:l,update:u,getWireframeAttribute:f,dispose:p}}function F_(e,t,n){let r;function i(e){r=e}let a,o;function s(e){a=e.type,o=e.bytesPerElement}function c(t,i){e.drawElements(r,i,a,t*o),n.update(i,r,1)}function l(t,i,s){s!==0&&(e.drawElementsInstanced(r,i,a,t*o,s),n.update(i,r,s))}function u(e,i,o){if(o===0)return;t.get(`WEBGL_multi_draw`).multiDrawElementsWEBGL(r,i,0,a,e,0,o);let s=0;for(let e=0;e<o;e++)s+=i[e];n.update(s,r,1)}this.setMode=i,this.setIndex=s,this.render=c,this.renderInstances=l,this.renderMultiDraw=u}function I_(e){let t={geometries:0,textures:0},n={frame:0,calls:0,triangles:0,points:0,lines:0};function r(t,r,i){switch(n.calls++,r){case e.TRIANGLES:n.triangles+=t/3*i;break;case e.LINES:n.lines+=t/2*i;break;case e.LINE_STRIP:n.lines+=i*(t-1);break;case e.LINE_LOOP:n.lines+=i*t;break;case e.POINTS:n.points+=i*t;break;default:Y(`WebGLInfo: Unknown draw mode:`,r)}}function i(){n.calls=0,n.triangles=0,n.points=0,n.lines=0}return{memory:t,render:n,programs:null,autoReset:!0,reset:i,update:r}}function L_(e,t,n){let r=new WeakMap,i=new Ef;function a(a,o,s){let c=a.morphTargetInfluences,l=o.morphAttributes.position||o.morphAttributes.normal||o.morphAttributes.color,u=l===void 0?0:l.length,d=r.get(o);if(d===void 0||d.count!==u){d!==void 0&&d.texture.dispose();let e=o.morphAttributes.position!==void 0,n=o.morphAttributes.normal!==void 0,a=o.morphAttributes.color!==void 0,s=o.morphAttributes.position||[],c=o.morphAttributes.normal||[],l=o.morphAttributes.color||[],f=0;e===!0&&(f=1),n===!0&&(f=2),a===!0&&(f=3);let p=o.attributes.position.count*f,m=1;p>t.maxTextureSize&&(m=Math.ceil(p/t.maxTextureSize),p=t.maxTextureSize);let h=new Float32Array(p*m*4*u),g=new kf(h,p,m,u);g.type=su,g.needsUpdate=!0;let _=f*4;for(let t=0;t<u;t++){let r=s[t],o=c[t],u=l[t],d=p*m*4*t;for(let t=0;t<r.count;t++){let s=t*_;e===!0&&(i.fromBufferAttribute(r,t),h[d+s+0]=i.x,h[d+s+1]=i.y,h[d+s+2]=i.z,h[d+s+3]=0),n===!0&&(i.fromBufferAttribute(o,t),h[d+s+4]=i.x,h[d+s+5]=i.y,h[d+s+6]=i.z,h[d+s+7]=0),a===!0&&(i.fromBufferAttribute(u,t),h[d+s+8]=i.x,h[d+s+9]=i.y,h[d+s+10]=i.z,h[d+s+11]=u.itemSize===4?i.w:1)}}d={count:u,texture:g,size:new X(p,m)},r.set(o,d);function v(){g.dispose(),r.delete(o),o.removeEventListener(`dispose`,v)}o.addEventListener(`dispose`,v)}if(a.isInstancedMesh===!0&&a.morphTexture!==null)s.getUniforms().setValue(e,`morphTexture`,a.morphTexture,n);else{let t=0;for(let e=0;e<c.length;e++)t+=c[e];let n=o.morphTargetsRelative?1:1-t;s.getUniforms().setValue(e,`morphTargetBaseInfluence`,n),s.getUniforms().setValue(e,`morphTargetInfluences`,c)}s.getUniforms().setValue(e,`morphTargetsTexture`,d.texture,n),s.getUniforms().setValue(e,`morphTargetsTextureSize`,d.size)}return{update:a}}function R_(e,t,n,r,i){let a=new WeakMap;function o(r){let o=i.render.frame,s=r.geometry,l=t.get(r,s);if(a.get(l)!==o&&(t.update(l),a.set(l,o)),r.isInstancedMesh&&(r.hasEventListener(`dispose`,c)===!1&&r.addEventListener(`dispose`,c),a.get(r)!==o&&(n.update(r.instanceMatrix,e.ARRAY_BUFFER),r.instanceColor!==null&&n.update(r.instanceColor,e.ARRAY_BUFFER),a.set(r,o))),r.isSkinnedMesh){let e=r.skeleton;a.get(e)!==o&&(e.update(),a.set(e,o))}return l}function s(){a=new WeakMap}function c(e){let t=e.target;t.removeEventListener(`dispose`,c),r.releaseStatesOfObject(t),n.remove(t.instanceMatrix),t.instanceColor!==null&&n.remove(t.instanceColor)}return{update:o,dispose:s}}var z_={1:`LINEAR_TONE_MAPPING`,2:`REINHARD_TONE_MAPPING`,3:`CINEON_TONE_MAPPING`,4:`ACES_FILMIC_TONE_MAPPING`,6:`AGX_TONE_MAPPING`,7:`NEUTRAL_TONE_MAPPING`,5:`CUSTOM_TONE_MAPPING`};function B_(e,t,n,r,i,a){let o=new Of(t,n,{type:e,depthBuffer:i,stencilBuffer:a,samples:r?4:0,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,resolveDepthBuffer:!1,resolveStencilBuffer:!1}),s=null,c=null,l=null,u=new sm;u.setAttribute(`position`,new Yp([-1,3,0,-1,-1,0,3,-1,0],3)),u.setAttribute(`uv`,new Yp([0,2,0,0,2,0],2));let d=new Gh({uniforms:{tDiffuse:{value:null}},vertexShader:`
			precision highp float;

			uniform mat4 modelViewMatrix;
			uniform mat4 projectionMatrix;

			attribute vec3 position;
			attribute vec2 uv;

			varying vec2 vUv;

			void main() {
				vUv = uv;
				gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
			}`,fragmentShader:`
			precision highp float;

			uniform sampler2D tDiffuse;

			varying vec2 vUv;

			#include <tonemapping_pars_fragment>
			#include <colorspace_pars_fragment>

			void main() {
				gl_FragColor = texture2D( tDiffuse, vUv );

				#ifdef LINEAR_TONE_MAPPING
					gl_FragColor.rgb = LinearToneMapping( gl_FragColor.rgb );
				#elif defined( REINHARD_TONE_MAPPING )
					gl_FragColor.rgb = ReinhardToneMapping( gl_FragColor.rgb );
				#elif defined( CINEON_TONE_MAPPING )
					gl_FragColor.rgb = CineonToneMapping( gl_FragColor.rgb );
				#elif defined( ACES_FILMIC_TONE_MAPPING )
					gl_FragColor.rgb = ACESFilmicToneMapping( gl_FragColor.rgb );
				#elif defined( AGX_TONE_MAPPING )
					gl_FragColor.rgb = AgXToneMapping( gl_FragColor.rgb );
				#elif defined( NEUTRAL_TONE_MAPPING )
					gl_FragColor.rgb = NeutralToneMapping( gl_FragColor.rgb );
				#elif defined( CUSTOM_TONE_MAPPING )
					gl_FragColor.rgb = CustomToneMapping( gl_FragColor.rgb );
				#endif

				#ifdef SRGB_TRANSFER
					gl_FragColor = sRGBTransferOETF( gl_FragColor );
				#endif
			}`,depthTest:!1,depthWrite:!1}),f=new jm(u,d),p=new Ag(-1,1,1,-1,0,1),m=null,h=null,g=!1,_,v=null,y=[],b=!1;this.setSize=function(e,t){o.setSize(e,t),s!==null&&s.setSize(e,t),c!==null&&c.setSize(e,t);for(let n=0;n<y.length;n++){let r=y[n];r.setSize&&r.setSize(e,t)}},this.setEffects=function(e){y=e,b=y.length>0&&y[0].isRenderPass===!0;let t=o.width,n=o.height;y.length>0&&s===null&&(s=new Of(t,n,{type:cu,depthBuffer:!1,stencilBuffer:!1}),c=new Of(t,n,{type:cu,depthBuffer:!1,stencilBuffer:!1}));let r=i===!0&&y.some(e=>e.needsDepthTexture===!0);r!==(o.depthTexture!==null)&&(r===!0&&l===null&&(l=new Th(t,n),a===!0&&(l.format=vu,l.type=du)),o.dispose(),o.depthTexture=r?l:null,o.resolveDepthBuffer=r,o.storeMultisampledDepthBuffer=r);for(let e=0;e<y.length;e++){let i=y[e];i.setSize&&i.setSize(t,n),r&&i.needsDepthTexture===!0&&i.setDepthTexture&&i.setDepthTexture(l)}},this.begin=function(e,t){if(g||e.toneMapping===0&&y.length===0)return!1;if(v=t,t!==null){let e=t.width,n=t.height;(o.width!==e||o.height!==n)&&this.setSize(e,n)}return b===!1&&e.setRenderTarget(o),_=e.toneMapping,e.toneMapping=0,!0},this.hasRenderPass=function(){return b},this.end=function(e,t){e.toneMapping=_,g=!0;let n=o,r=s;for(let i=0;i<y.length;i++){let a=y[i];a.enabled!==!1&&(a.render(e,r,n,t),a.needsSwap!==!1&&(n=r,r=r===s?c:s))}if(m!==e.outputColorSpace||h!==e.toneMapping){m=e.outputColorSpace,h=e.toneMapping,d.defines={},hf.getTransfer(m)===`srgb`&&(d.defines.SRGB_TRANSFER=``);let t=z_[h];t&&(d.defines[t]=``),d.needsUpdate=!0}d.uniforms.tDiffuse.value=n.texture,e.setRenderTarget(v),e.render(f,p),v=null,g=!1},this.isCompositing=function(){return g},this.dispose=function(){o.dispose(),s!==null&&s.dispose(),c!==null&&c.dispose(),u.dispose(),d.dispose()}}var V_=new Tf,H_=new Th(1,1),U_=new Eh(1),W_=new kf,G_=new Af,K_=new Ch,q_=[],J_=[],Y_=new Float32Array(16),X_=new Float32Array(9),Z_=new Float32Array(4);function Q_(e,t,n){let r=e[0];if(r<=0||r>0)return e;let i=t*n,a=q_[i];if(a===void 0&&(a=new Float32Array(i),q_[i]=a),t!==0){r.toArray(a,0);for(let r=1,i=0;r!==t;++r)i+=n,e[r].toArray(a,i)}return a}function $_(e,t){if(e.length!==t.length)return!1;for(let n=0,r=e.length;n<r;n++)if(e[n]!==t[n])return!1;return!0}function ev(e,t){for(let n=0,r=t.length;n<r;n++)e[n]=t[n]}function tv(e,t){let n=J_[t];n===void 0&&(n=new Int32Array(t),J_[t]=n);for(let r=0;r!==t;++r)n[r]=e.allocateTextureUnit();return n}function nv(e,t){let n=this.cache;n[0]!==t&&(e.uniform1f(this.addr,t),n[0]=t)}function rv(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y)&&(e.uniform2f(this.addr,t.x,t.y),n[0]=t.x,n[1]=t.y);else{if($_(n,t))return;e.uniform2fv(this.addr,t),ev(n,t)}}function iv(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z)&&(e.uniform3f(this.addr,t.x,t.y,t.z),n[0]=t.x,n[1]=t.y,n[2]=t.z);else if(t.r!==void 0)(n[0]!==t.r||n[1]!==t.g||n[2]!==t.b)&&(e.uniform3f(this.addr,t.r,t.g,t.b),n[0]=t.r,n[1]=t.g,n[2]=t.b);else{if($_(n,t))return;e.uniform3fv(this.addr,t),ev(n,t)}}function av(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z||n[3]!==t.w)&&(e.uniform4f(this.addr,t.x,t.y,t.z,t.w),n[0]=t.x,n[1]=t.y,n[2]=t.z,n[3]=t.w);else{if($_(n,t))return;e.uniform4fv(this.addr,t),ev(n,t)}}function ov(e,t){let n=this.cache,r=t.elements;if(r===void 0){if($_(n,t))return;e.uniformMatrix2fv(this.addr,!1,t),ev(n,t)}else{if($_(n,r))return;Z_.set(r),e.uniformMatrix2fv(this.addr,!1,Z_),ev(n,r)}}function sv(e,t){let n=this.cache,r=t.elements;if(r===void 0){if($_(n,t))return;e.uniformMatrix3fv(this.addr,!1,t),ev(n,t)}else{if($_(n,r))return;X_.set(r),e.uniformMatrix3fv(this.addr,!1,X_),ev(n,r)}}function cv(e,t){let n=this.cache,r=t.elements;if(r===void 0){if($_(n,t))return;e.uniformMatrix4fv(this.addr,!1,t),ev(n,t)}else{if($_(n,r))return;Y_.set(r),e.uniformMatrix4fv(this.addr,!1,Y_),ev(n,r)}}function lv(e,t){let n=this.cache;n[0]!==t&&(e.uniform1i(this.addr,t),n[0]=t)}function uv(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y)&&(e.uniform2i(this.addr,t.x,t.y),n[0]=t.x,n[1]=t.y);else{if($_(n,t))return;e.uniform2iv(this.addr,t),ev(n,t)}}function dv(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z)&&(e.uniform3i(this.addr,t.x,t.y,t.z),n[0]=t.x,n[1]=t.y,n[2]=t.z);else{if($_(n,t))return;e.uniform3iv(this.addr,t),ev(n,t)}}function fv(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z||n[3]!==t.w)&&(e.uniform4i(this.addr,t.x,t.y,t.z,t.w),n[0]=t.x,n[1]=t.y,n[2]=t.z,n[3]=t.w);else{if($_(n,t))return;e.uniform4iv(this.addr,t),ev(n,t)}}function pv(e,t){let n=this.cache;n[0]!==t&&(e.uniform1ui(this.addr,t),n[0]=t)}function mv(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y)&&(e.uniform2ui(this.addr,t.x,t.y),n[0]=t.x,n[1]=t.y);else{if($_(n,t))return;e.uniform2uiv(this.addr,t),ev(n,t)}}function hv(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z)&&(e.uniform3ui(this.addr,t.x,t.y,t.z),n[0]=t.x,n[1]=t.y,n[2]=t.z);else{if($_(n,t))return;e.uniform3uiv(this.addr,t),ev(n,t)}}function gv(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z||n[3]!==t.w)&&(e.uniform4ui(this.addr,t.x,t.y,t.z,t.w),n[0]=t.x,n[1]=t.y,n[2]=t.z,n[3]=t.w);else{if($_(n,t))return;e.uniform4uiv(this.addr,t),ev(n,t)}}function _v(e){return e.version===0&&(e.compareFunction=519,e.needsUpdate=!0),e}function vv(e,t,n){let r=this.cache,i=n.allocateTextureUnit();r[0]!==i&&(e.uniform1i(this.addr,i),r[0]=i);let a;a=this.type===e.SAMPLER_2D_SHADOW?_v(H_):V_,n.setTexture2D(t||a,i)}function yv(e,t,n){let r=this.cache,i=n.allocateTextureUnit();r[0]!==i&&(e.uniform1i(this.addr,i),r[0]=i),n.setTexture3D(t||G_,i)}function bv(e,t,n){let r=this.cache,i=n.allocateTextureUnit();r[0]!==i&&(e.uniform1i(this.addr,i),r[0]=i);let a;a=this.type===e.SAMPLER_CUBE_SHADOW?_v(U_):K_,n.setTextureCube(t||a,i)}function xv(e,t,n){let r=this.cache,i=n.allocateTextureUnit();r[0]!==i&&(e.uniform1i(this.addr,i),r[0]=i),n.setTexture2DArray(t||W_,i)}function Sv(e){switch(e){case 5126:return nv;case 35664:return rv;case 35665:return iv;case 35666:return av;case 35674:return ov;case 35675:return sv;case 35676:return cv;case 5124:case 35670:return lv;case 35667:case 35671:return uv;case 35668:case 35672:return dv;case 35669:case 35673:return fv;case 5125:return pv;case 36294:return mv;case 36295:return hv;case 36296:return gv;case 35678:case 36198:case 36298:case 36306:case 35682:return vv;case 35679:case 36299:case 36307:return yv;case 35680:case 36300:case 36308:case 36293:return bv;case 36289:case 36303:case 36311:case 36292:return xv}}function Cv(e,t){e.uniform1fv(this.addr,t)}function wv(e,t){let n=Q_(t,this.size,2);e.uniform2fv(this.addr,n)}function Tv(e,t){let n=Q_(t,this.size,3);e.uniform3fv(this.addr,n)}function Ev(e,t){let n=Q_(t,this.size,4);e.uniform4fv(this.addr,n)}function Dv(e,t){let n=Q_(t,this.size,4);e.uniformMatrix2fv(this.addr,!1,n)}function Ov(e,t){let n=Q_(t,this.size,9);e.uniformMatrix3fv(this.addr,!1,n)}function kv(e,t){let n=Q_(t,this.size,16);e.uniformMatrix4fv(this.addr,!1,n)}function Av(e,t){e.uniform1iv(this.addr,t)}function jv(e,t){e.uniform2iv(this.addr,t)}function Mv(e,t){e.uniform3iv(this.addr,t)}function Nv(e,t){e.uniform4iv(this.addr,t)}function Pv(e,t){e.uniform1uiv(this.addr,t)}function Fv(e,t){e.uniform2uiv(this.addr,t)}function Iv(e,t){e.uniform3uiv(this.addr,t)}function Lv(e,t){e.uniform4uiv(this.addr,t)}function Rv(e,t,n){let r=this.cache,i=t.length,a=tv(n,i);$_(r,a)||(e.uniform1iv(this.addr,a),ev(r,a));let o;o=this.type===e.SAMPLER_2D_SHADOW?_v(H_):V_;for(let e=0;e!==i;++e)n.setTexture2D(t[e]||o,a[e])}function zv(e,t,n){let r=this.cache,i=t.length,a=tv(n,i);$_(r,a)||(e.uniform1iv(this.addr,a),ev(r,a));for(let e=0;e!==i;++e)n.setTexture3D(t[e]||G_,a[e])}function Bv(e,t,n){let r=this.cache,i=t.length,a=tv(n,i);$_(r,a)||(e.uniform1iv(this.addr,a),ev(r,a));let o;o=this.type===e.SAMPLER_CUBE_SHADOW?_v(U_):K_;for(let e=0;e!==i;++e)n.setTextureCube(t[e]||o,a[e])}function Vv(e,t,n){let r=this.cache,i=t.length,a=tv(n,i);$_(r,a)||(e.uniform1iv(this.addr,a),ev(r,a));for(let e=0;e!==i;++e)n.setTexture2DArray(t[e]||W_,a[e])}function Hv(e){switch(e){case 5126:return Cv;case 35664:return wv;case 35665:return Tv;case 35666:return Ev;case 35674:return Dv;case 35675:return Ov;case 35676:return kv;case 5124:case 35670:return Av;case 35667:case 35671:return jv;case 35668:case 35672:return Mv;case 35669:case 35673:return Nv;case 5125:return Pv;case 36294:return Fv;case 36295:return Iv;case 36296:return Lv;case 35678:case 36198:case 36298:case 36306:case 35682:return Rv;case 35679:case 36299:case 36307:return zv;case 35680:case 36300:case 36308:case 36293:return Bv;case 36289:case 36303:case 36311:case 36292:return Vv}}var Uv=class{constructor(e,t,n){this.id=e,this.addr=n,this.cache=[],this.type=t.type,this.setValue=Sv(t.type)}},Wv=class{constructor(e,t,n){this.id=e,this.addr=n,this.cache=[],this.type=t.type,this.size=t.size,this.setValue=Hv(t.type)}},Gv=class{constructor(e){this.id=e,this.seq=[],this.map={}}setValue(e,t,n){let r=this.seq;for(let i=0,a=r.length;i!==a;++i){let a=r[i];a.setValue(e,t[a.id],n)}}},Kv=/(\w+)(\])?(\[|\.)?/g;function qv(e,t){e.seq.push(t),e.map[t.id]=t}function Jv(e,t,n){let r=e.name,i=r.length;for(Kv.lastIndex=0;;){let a=Kv.exec(r),o=Kv.lastIndex,s=a[1],c=a[2]===`]`,l=a[3];if(c&&(s|=0),l===void 0||l===`[`&&o+2===i){qv(n,l===void 0?new Uv(s,e,t):new Wv(s,e,t));break}{let e=n.map[s];e===void 0&&(e=new Gv(s),qv(n,e)),n=e}}}var Yv=class{constructor(e,t){this.seq=[],this.map={};let n=e.getProgramParameter(t,e.ACTIVE_UNIFORMS);for(let r=0;r<n;++r){let n=e.getActiveUniform(t,r);Jv(n,e.getUniformLocation(t,n.name),this)}let r=[],i=[];for(let t of this.seq)t.type===e.SAMPLER_2D_SHADOW||t.type===e.SAMPLER_CUBE_SHADOW||t.type===e.SAMPLER_2D_ARRAY_SHADOW?r.push(t):i.push(t);r.length>0&&(this.seq=r.concat(i))}setValue(e,t,n,r){let i=this.map[t];i!==void 0&&i.setValue(e,n,r)}setOptional(e,t,n){let r=t[n];r!==void 0&&this.setValue(e,n,r)}static upload(e,t,n,r){for(let i=0,a=t.length;i!==a;++i){let a=t[i],o=n[a.id];o.needsUpdate!==!1&&a.setValue(e,o.value,r)}}static seqWithValue(e,t){let n=[];for(let r=0,i=e.length;r!==i;++r){let i=e[r];i.id in t&&n.push(i)}return n}};function Xv(e,t,n){let r=e.createShader(t);return e.shaderSource(r,n),e.compileShader(r),r}var Zv=37297,Qv=0;function $v(e,t){let n=e.split(`
`),r=[],i=Math.max(t-6,0),a=Math.min(t+6,n.length);for(let e=i;e<a;e++){let i=e+1;r.push(`${i===t?`>`:` `} ${i}: ${n[e]}`)}return r.join(`
`)}var ey=new uf;function ty(e){hf._getMatrix(ey,hf.workingColorSpace,e);let t=`mat3( ${ey.elements.map(e=>e.toFixed(4))} )`;switch(hf.getTransfer(e)){case gd:return[t,`LinearTransferOETF`];case _d:return[t,`sRGBTransferOETF`];default:return J(`WebGLProgram: Unsupported color space: `,e),[t,`LinearTransferOETF`]}}function ny(e,t,n){let r=e.getShaderParameter(t,e.COMPILE_STATUS),i=(e.getShaderInfoLog(t)||``).trim();if(r&&i===``)return``;let a=/ERROR: 0:(\d+)/.exec(i);if(a){let r=parseInt(a[1]);return n.toUpperCase()+`

`+i+`

`+$v(e.getShaderSource(t),r)}return i}function ry(e,t){let n=ty(t);return[`vec4 ${e}( vec4 value ) {`,`	return ${n[1]}( vec4( ${n[0]} * value.rgb, value.a ) );`,`}`].join(`
`)}var iy={1:`Linear`,2:`Reinhard`,3:`Cineon`,4:`ACESFilmic`,6:`AgX`,7:`Neutral`,5:`Custom`};function ay(e,t){let n=iy[t];return n===void 0?(J(`WebGLProgram: Unsupported toneMapping:`,t),`vec3 `+e+`( vec3 color ) { return LinearToneMapping( color ); }`):`vec3 `+e+`( vec3 color ) { return `+n+`ToneMapping( color ); }`}var oy=new Z;function sy(){return hf.getLuminanceCoefficients(oy),[`float luminance( const in vec3 rgb ) {`,`	const vec3 weights = vec3( ${oy.x.toFixed(4)}, ${oy.y.toFixed(4)}, ${oy.z.toFixed(4)} );`,`	return dot( weights, rgb );`,`}`].join(`
`)}function cy(e){return[e.extensionClipCullDistance?`#extension GL_ANGLE_clip_cull_distance : require`:``,e.extensionMultiDraw?`#extension GL_ANGLE_multi_draw : require`:``].filter(dy).join(`
`)}function ly(e){let t=[];for(let n in e){let r=e[n];r!==!1&&t.push(`#define `+n+` `+r)}return t.join(`
`)}function uy(e,t){let n={},r=e.getProgramParameter(t,e.ACTIVE_ATTRIBUTES);for(let i=0;i<r;i++){let r=e.getActiveAttrib(t,i),a=r.name,o=1;r.type===e.FLOAT_MAT2&&(o=2),r.type===e.FLOAT_MAT3&&(o=3),r.type===e.FLOAT_MAT4&&(o=4),n[a]={type:r.type,location:e.getAttribLocation(t,a),locationSize:o}}return n}function dy(e){return e!==``}function fy(e,t){let n=t.numSpotLightShadows+t.numSpotLightMaps-t.numSpotLightShadowsWithMaps;return e.replace(/NUM_SUN_LIGHTS/g,t.numSunLights).replace(/NUM_DIR_LIGHTS/g,t.numDirLights).replace(/NUM_SPOT_LIGHTS/g,t.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,t.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,n).replace(/NUM_RECT_AREA_LIGHTS/g,t.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,t.numPointLights).replace(/NUM_HEMI_LIGHTS/g,t.numHemiLights).replace(/NUM_SUN_LIGHT_SHADOWS/g,t.numSunLightShadows).replace(/NUM_DIR_LIGHT_SHADOWS/g,t.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,t.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,t.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,t.numPointLightShadows).replace(/NUM_LIGHT_PROBE_GRIDS/g,t.numLightProbeGrids)}function py(e,t){return e.replace(/NUM_CLIPPING_PLANES/g,t.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,t.numClippingPlanes-t.numClipIntersection)}var my=/^[ \t]*#include +<([\w\d./]+)>/gm;function hy(e){return e.replace(my,gy)}function gy(e,t){let n=a_[t];if(n===void 0)throw Error(`THREE.WebGLProgram: Can not resolve #include <`+t+`>`);return hy(n)}var _y=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function vy(e){return e.replace(_y,yy)}function yy(e,t,n,r){let i=``;for(let e=parseInt(t);e<parseInt(n);e++)i+=r.replace(/\[\s*i\s*\]/g,`[ `+e+` ]`).replace(/UNROLLED_LOOP_INDEX/g,e);return i}function by(e){let t=`precision ${e.precision} float;
	precision ${e.precision} int;
	precision ${e.precision} sampler2D;
	precision ${e.precision} samplerCube;
	precision ${e.precision} sampler3D;
	precision ${e.precision} sampler2DArray;
	precision ${e.precision} sampler2DShadow;
	precision ${e.precision} samplerCubeShadow;
	precision ${e.precision} sampler2DArrayShadow;
	precision ${e.precision} isampler2D;
	precision ${e.precision} isampler3D;
	precision ${e.precision} isamplerCube;
	precision ${e.precision} isampler2DArray;
	precision ${e.precision} usampler2D;
	precision ${e.precision} usampler3D;
	precision ${e.precision} usamplerCube;
	precision ${e.precision} usampler2DArray;
	`;return e.precision===`highp`?t+=`
#define HIGH_PRECISION`:e.precision===`mediump`?t+=`
#define MEDIUM_PRECISION`:e.precision===`lowp`&&(t+=`
#define LOW_PRECISION`),t}var xy={1:`SHADOWMAP_TYPE_PCF`,3:`SHADOWMAP_TYPE_VSM`};function Sy(e){return xy[e.shadowMapType]||`SHADOWMAP_TYPE_BASIC`}var Cy={302:`ENVMAP_MODE_REFRACTION`};function wy(e){return e.envMap===!1?`ENVMAP_MODE_REFLECTION`:Cy[e.envMapMode]||`ENVMAP_MODE_REFLECTION`}var Ty={0:`ENVMAP_BLENDING_MULTIPLY`,1:`ENVMAP_BLENDING_MIX`,2:`ENVMAP_BLENDING_ADD`};function Ey(e){return e.envMap===!1?`ENVMAP_BLENDING_NONE`:Ty[e.combine]||`ENVMAP_BLENDING_NONE`}function Dy(e,t,n,r){let i=e.getContext(),a=n.defines,o=n.vertexShader,s=n.fragmentShader,c=Sy(n),l=n.envMapPMREM===!0?`ENVMAP_TYPE_PMREM`:`ENVMAP_TYPE_CUBE`,u=wy(n),d=Ey(n),f=cy(n),p=ly(a),m=i.createProgram(),h,g,_=n.glslVersion?`#version `+n.glslVersion+`
`:``;n.isRawShaderMaterial?(h=[`#define SHADER_TYPE `+n.shaderType,`#define SHADER_NAME `+n.shaderName,p].filter(dy).join(`
`),h.length>0&&(h+=`
`),g=[`#define SHADER_TYPE `+n.shaderType,`#define SHADER_NAME `+n.shaderName,p].filter(dy).join(`
`),g.length>0&&(g+=`
`)):(h=[by(n),`#define SHADER_TYPE `+n.shaderType,`#define SHADER_NAME `+n.shaderName,p,n.extensionClipCullDistance?`#define USE_CLIP_DISTANCE`:``,n.batching?`#define USE_BATCHING`:``,n.batchingColor?`#define USE_BATCHING_COLOR`:``,n.instancing?`#define USE_INSTANCING`:``,n.instancingColor?`#define USE_INSTANCING_COLOR`:``,n.instancingMorph?`#define USE_INSTANCING_MORPH`:``,n.useFog&&n.fog?`#define USE_FOG`:``,n.useFog&&n.fogExp2?`#define FOG_EXP2`:``,n.map?`#define USE_MAP`:``,n.envMap?`#define USE_ENVMAP`:``,n.envMap?`#define `+u:``,n.lightMap?`#define USE_LIGHTMAP`:``,n.aoMap?`#define USE_AOMAP`:``,n.bumpMap?`#define USE_BUMPMAP`:``,n.normalMap?`#define USE_NORMALMAP`:``,n.normalMapObjectSpace?`#define USE_NORMALMAP_OBJECTSPACE`:``,n.normalMapTangentSpace?`#define USE_NORMALMAP_TANGENTSPACE`:``,n.displacementMap?`#define USE_DISPLACEMENTMAP`:``,n.emissiveMap?`#define USE_EMISSIVEMAP`:``,n.anisotropy?`#define USE_ANISOTROPY`:``,n.anisotropyMap?`#define USE_ANISOTROPYMAP`:``,n.clearcoatMap?`#define USE_CLEARCOATMAP`:``,n.clearcoatRoughnessMap?`#define USE_CLEARCOAT_ROUGHNESSMAP`:``,n.clearcoatNormalMap?`#define USE_CLEARCOAT_NORMALMAP`:``,n.diffuseRoughnessMap?`#define USE_DIFFUSE_ROUGHNESSMAP`:``,n.iridescenceMap?`#define USE_IRIDESCENCEMAP`:``,n.iridescenceThicknessMap?`#define USE_IRIDESCENCE_THICKNESSMAP`:``,n.specularMap?`#define USE_SPECULARMAP`:``,n.specularColorMap?`#define USE_SPECULAR_COLORMAP`:``,n.specularIntensityMap?`#define USE_SPECULAR_INTENSITYMAP`:``,n.roughnessMap?`#define USE_ROUGHNESSMAP`:``,n.metalnessMap?`#define USE_METALNESSMAP`:``,n.alphaMap?`#define USE_ALPHAMAP`:``,n.alphaHash?`#define USE_ALPHAHASH`:``,n.transmission?`#define USE_TRANSMISSION`:``,n.transmissionMap?`#define USE_TRANSMISSIONMAP`:``,n.thicknessMap?`#define USE_THICKNESSMAP`:``,n.sheenColorMap?`#define USE_SHEEN_COLORMAP`:``,n.sheenRoughnessMap?`#define USE_SHEEN_ROUGHNESSMAP`:``,n.mapUv?`#define MAP_UV `+n.mapUv:``,n.alphaMapUv?`#define ALPHAMAP_UV `+n.alphaMapUv:``,n.lightMapUv?`#define LIGHTMAP_UV `+n.lightMapUv:``,n.aoMapUv?`#define AOMAP_UV `+n.aoMapUv:``,n.emissiveMapUv?`#define EMISSIVEMAP_UV `+n.emissiveMapUv:``,n.bumpMapUv?`#define BUMPMAP_UV `+n.bumpMapUv:``,n.normalMapUv?`#define NORMALMAP_UV `+n.normalMapUv:``,n.displacementMapUv?`#define DISPLACEMENTMAP_UV `+n.displacementMapUv:``,n.metalnessMapUv?`#define METALNESSMAP_UV `+n.metalnessMapUv:``,n.roughnessMapUv?`#define ROUGHNESSMAP_UV `+n.roughnessMapUv:``,n.anisotropyMapUv?`#define ANISOTROPYMAP_UV `+n.anisotropyMapUv:``,n.clearcoatMapUv?`#define CLEARCOATMAP_UV `+n.clearcoatMapUv:``,n.clearcoatNormalMapUv?`#define CLEARCOAT_NORMALMAP_UV `+n.clearcoatNormalMapUv:``,n.clearcoatRoughnessMapUv?`#define CLEARCOAT_ROUGHNESSMAP_UV `+n.clearcoatRoughnessMapUv:``,n.diffuseRoughnessMapUv?`#define DIFFUSE_ROUGHNESSMAP_UV `+n.diffuseRoughnessMapUv:``,n.iridescenceMapUv?`#define IRIDESCENCEMAP_UV `+n.iridescenceMapUv:``,n.iridescenceThicknessMapUv?`#define IRIDESCENCE_THICKNESSMAP_UV `+n.iridescenceThicknessMapUv:``,n.sheenColorMapUv?`#define SHEEN_COLORMAP_UV `+n.sheenColorMapUv:``,n.sheenRoughnessMapUv?`#define SHEEN_ROUGHNESSMAP_UV `+n.sheenRoughnessMapUv:``,n.specularMapUv?`#define SPECULARMAP_UV `+n.specularMapUv:``,n.specularColorMapUv?`#define SPECULAR_COLORMAP_UV `+n.specularColorMapUv:``,n.specularIntensityMapUv?`#define SPECULAR_INTENSITYMAP_UV `+n.specularIntensityMapUv:``,n.transmissionMapUv?`#define TRANSMISSIONMAP_UV `+n.transmissionMapUv:``,n.thicknessMapUv?`#define THICKNESSMAP_UV `+n.thicknessMapUv:``,n.vertexTangents&&n.flatShading===!1?`#define USE_TANGENT`:``,n.vertexNormals?`#define HAS_NORMAL`:``,n.vertexColors?`#define USE_COLOR`:``,n.vertexAlphas?`#define USE_COLOR_ALPHA`:``,n.vertexUv1s?`#define USE_UV1`:``,n.vertexUv2s?`#define USE_UV2`:``,n.vertexUv3s?`#define USE_UV3`:``,n.pointsUvs?`#define USE_POINTS_UV`:``,n.flatShading?`#define FLAT_SHADED`:``,n.skinning?`#define USE_SKINNING`:``,n.morphTargets?`#define USE_MORPHTARGETS`:``,n.morphNormals&&n.flatShading===!1?`#define USE_MORPHNORMALS`:``,n.morphColors?`#define USE_MORPHCOLORS`:``,n.morphTargetsCount>0?`#define MORPHTARGETS_TEXTURE_STRIDE `+n.morphTextureStride:``,n.morphTargetsCount>0?`#define MORPHTARGETS_COUNT `+n.morphTargetsCount:``,n.doubleSided?`#define DOUBLE_SIDED`:``,n.flipSided?`#define FLIP_SIDED`:``,n.shadowMapEnabled?`#define USE_SHADOWMAP`:``,n.shadowMapEnabled?`#define `+c:``,n.sizeAttenuation?`#define USE_SIZEATTENUATION`:``,n.numLightProbes>0?`#define USE_LIGHT_PROBES`:``,n.logarithmicDepthBuffer?`#define USE_LOGARITHMIC_DEPTH_BUFFER`:``,n.reversedDepthBuffer?`#define USE_REVERSED_DEPTH_BUFFER`:``,`uniform mat4 modelMatrix;`,`uniform mat4 modelViewMatrix;`,`uniform mat4 projectionMatrix;`,`uniform mat4 viewMatrix;`,`uniform mat3 normalMatrix;`,`uniform vec3 cameraPosition;`,`uniform bool isOrthographic;`,`#ifdef USE_INSTANCING`,`	attribute mat4 instanceMatrix;`,`#endif`,`#ifdef USE_INSTANCING_COLOR`,`	attribute vec3 instanceColor;`,`#endif`,`#ifdef USE_INSTANCING_MORPH`,`	uniform sampler2D morphTexture;`,`#endif`,`attribute vec3 position;`,`attribute vec3 normal;`,`attribute vec2 uv;`,`#ifdef USE_UV1`,`	attribute vec2 uv1;`,`#endif`,`#ifdef USE_UV2`,`	attribute vec2 uv2;`,`#endif`,`#ifdef USE_UV3`,`	attribute vec2 uv3;`,`#endif`,`#ifdef USE_TANGENT`,`	attribute vec4 tangent;`,`#endif`,`#if defined( USE_COLOR_ALPHA )`,`	attribute vec4 color;`,`#elif defined( USE_COLOR )`,`	attribute vec3 color;`,`#endif`,`#ifdef USE_SKINNING`,`	attribute vec4 skinIndex;`,`	attribute vec4 skinWeight;`,`#endif`,`
`].filter(dy).join(`
`),g=[by(n),`#define SHADER_TYPE `+n.shaderType,`#define SHADER_NAME `+n.shaderName,p,n.useFog&&n.fog?`#define USE_FOG`:``,n.useFog&&n.fogExp2?`#define FOG_EXP2`:``,n.alphaToCoverage?`#define ALPHA_TO_COVERAGE`:``,n.map?`#define USE_MAP`:``,n.matcap?`#define USE_MATCAP`:``,n.envMap?`#define USE_ENVMAP`:``,n.envMap?`#define `+l:``,n.envMap?`#define `+u:``,n.envMap?`#define `+d:``,n.envMapPMREM?`#define ENVMAP_MAX_LOD `+n.envMapMaxLod+`.0`:``,n.envMapPMREM?`#define ENVMAP_SIZE `+n.envMapSize+`.0`:``,n.lightMap?`#define USE_LIGHTMAP`:``,n.aoMap?`#define USE_AOMAP`:``,n.bumpMap?`#define USE_BUMPMAP`:``,n.normalMap?`#define USE_NORMALMAP`:``,n.normalMapObjectSpace?`#define USE_NORMALMAP_OBJECTSPACE`:``,n.normalMapTangentSpace?`#define USE_NORMALMAP_TANGENTSPACE`:``,n.packedNormalMap?`#define USE_PACKED_NORMALMAP`:``,n.emissiveMap?`#define USE_EMISSIVEMAP`:``,n.anisotropy?`#define USE_ANISOTROPY`:``,n.anisotropyMap?`#define USE_ANISOTROPYMAP`:``,n.clearcoat?`#define USE_CLEARCOAT`:``,n.clearcoatMap?`#define USE_CLEARCOATMAP`:``,n.clearcoatRoughnessMap?`#define USE_CLEARCOAT_ROUGHNESSMAP`:``,n.clearcoatNormalMap?`#define USE_CLEARCOAT_NORMALMAP`:``,n.diffuseRoughness?`#define USE_DIFFUSE_ROUGHNESS`:``,n.diffuseRoughnessMap?`#define USE_DIFFUSE_ROUGHNESSMAP`:``,n.dispersion?`#define USE_DISPERSION`:``,n.retroreflection?`#define USE_RETROREFLECTION`:``,n.iridescence?`#define USE_IRIDESCENCE`:``,n.iridescenceMap?`#define USE_IRIDESCENCEMAP`:``,n.iridescenceThicknessMap?`#define USE_IRIDESCENCE_THICKNESSMAP`:``,n.specularMap?`#define USE_SPECULARMAP`:``,n.specularColorMap?`#define USE_SPECULAR_COLORMAP`:``,n.specularIntensityMap?`#define USE_SPECULAR_INTENSITYMAP`:``,n.roughnessMap?`#define USE_ROUGHNESSMAP`:``,n.metalnessMap?`#define USE_METALNESSMAP`:``,n.alphaMap?`#define USE_ALPHAMAP`:``,n.alphaTest?`#define USE_ALPHATEST`:``,n.alphaHash?`#define USE_ALPHAHASH`:``,n.sheen?`#define USE_SHEEN`:``,n.sheenColorMap?`#define USE_SHEEN_COLORMAP`:``,n.sheenRoughnessMap?`#define USE_SHEEN_ROUGHNESSMAP`:``,n.transmission?`#define USE_TRANSMISSION`:``,n.transmissionMap?`#define USE_TRANSMISSIONMAP`:``,n.thicknessMap?`#define USE_THICKNESSMAP`:``,n.vertexTangents&&n.flatShading===!1?`#define USE_TANGENT`:``,n.vertexColors||n.instancingColor?`#define USE_COLOR`:``,n.vertexAlphas||n.batchingColor?`#define USE_COLOR_ALPHA`:``,n.vertexUv1s?`#define USE_UV1`:``,n.vertexUv2s?`#define USE_UV2`:``,n.vertexUv3s?`#define USE_UV3`:``,n.pointsUvs?`#define USE_POINTS_UV`:``,n.gradientMap?`#define USE_GRADIENTMAP`:``,n.flatShading?`#define FLAT_SHADED`:``,n.doubleSided?`#define DOUBLE_SIDED`:``,n.flipSided?`#define FLIP_SIDED`:``,n.shadowMapEnabled?`#define USE_SHADOWMAP`:``,n.shadowMapEnabled?`#define `+c:``,n.premultipliedAlpha?`#define PREMULTIPLIED_ALPHA`:``,n.numLightProbes>0?`#define USE_LIGHT_PROBES`:``,n.decodeVideoTexture?`#define DECODE_VIDEO_TEXTURE`:``,n.decodeVideoTextureEmissive?`#define DECODE_VIDEO_TEXTURE_EMISSIVE`:``,n.logarithmicDepthBuffer?`#define USE_LOGARITHMIC_DEPTH_BUFFER`:``,n.reversedDepthBuffer?`#define USE_REVERSED_DEPTH_BUFFER`:``,`uniform mat4 viewMatrix;`,`uniform vec3 cameraPosition;`,`uniform bool isOrthographic;`,n.toneMapping===0?``:`#define TONE_MAPPING`,n.toneMapping===0?``:a_.tonemapping_pars_fragment,n.toneMapping===0?``:ay(`toneMapping`,n.toneMapping),n.dithering?`#define DITHERING`:``,n.opaque?`#define OPAQUE`:``,a_.colorspace_pars_fragment,ry(`linearToOutputTexel`,n.outputColorSpace),sy(),n.useDepthPacking?`#define DEPTH_PACKING `+n.depthPacking:``,`
`].filter(dy).join(`
`)),o=hy(o),o=fy(o,n),o=py(o,n),s=hy(s),s=fy(s,n),s=py(s,n),o=vy(o),s=vy(s),n.isRawShaderMaterial!==!0&&(_=`#version 300 es
`,h=[f,`#define attribute in`,`#define varying out`,`#define texture2D texture`].join(`
`)+`
`+h,g=[`#define varying in`,n.glslVersion===`300 es`?``:`layout(location = 0) out highp vec4 pc_fragColor;`,n.glslVersion===`300 es`?``:`#define gl_FragColor pc_fragColor`,`#define gl_FragDepthEXT gl_FragDepth`,`#define texture2D texture`,`#define textureCube texture`,`#define texture2DProj textureProj`,`#define texture2DLodEXT textureLod`,`#define texture2DProjLodEXT textureProjLod`,`#define textureCubeLodEXT textureLod`,`#define texture2DGradEXT textureGrad`,`#define texture2DProjGradEXT textureProjGrad`,`#define textureCubeGradEXT textureGrad`].join(`
`)+`
`+g);let v=_+h+o,y=_+g+s,b=Xv(i,i.VERTEX_SHADER,v),x=Xv(i,i.FRAGMENT_SHADER,y);i.attachShader(m,b),i.attachShader(m,x),n.index0AttributeName===void 0?n.hasPositionAttribute===!0&&i.bindAttribLocation(m,0,`position`):i.bindAttribLocation(m,0,n.index0AttributeName),i.linkProgram(m);function S(t){if(e.debug.checkShaderErrors){let n=i.getProgramInfoLog(m)||``,r=i.getShaderInfoLog(b)||``,a=i.getShaderInfoLog(x)||``,o=n.trim(),s=r.trim(),c=a.trim(),l=!0,u=!0;if(i.getProgramParameter(m,i.LINK_STATUS)===!1){if(l=!1,typeof e.debug.onShaderError==`function`)e.debug.onShaderError(i,m,b,x);else{let e=ny(i,b,`vertex`),n=ny(i,x,`fragment`);Y(`WebGLProgram: Shader Error `+i.getError()+` - VALIDATE_STATUS `+i.getProgramParameter(m,i.VALIDATE_STATUS)+`

Material Name: `+t.name+`
Material Type: `+t.type+`

Program Info Log: `+o+`
`+e+`
`+n)}}else o===``?(s===``||c===``)&&(u=!1):J(`WebGLProgram: Program Info Log:`,o);u&&(t.diagnostics={runnable:l,programLog:o,vertexShader:{log:s,prefix:h},fragmentShader:{log:c,prefix:g}})}i.deleteShader(b),i.deleteShader(x),C=new Yv(i,m),w=uy(i,m)}let C;this.getUniforms=function(){return C===void 0&&S(this),C};let w;this.getAttributes=function(){return w===void 0&&S(this),w};let T=n.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return T===!1&&(T=i.getProgramParameter(m,Zv)),T},this.destroy=function(){r.releaseStatesOfProgram(this),i.deleteProgram(m),this.program=void 0},this.type=n.shaderType,this.name=n.shaderName,this.id=Qv++,this.cacheKey=t,this.usedTimes=1,this.program=m,this.vertexShader=b,this.fragmentShader=x,this}var Oy=0,ky=class{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(e,t,n){let r=this._getShaderCacheForMaterial(e);return r.has(t)===!1&&(r.add(t),t.usedTimes++),r.has(n)===!1&&(r.add(n),n.usedTimes++),this}remove(e){let t=this.materialCache.get(e);for(let e of t)e.usedTimes--,e.usedTimes===0&&this.shaderCache.delete(e.code);return this.materialCache.delete(e),this}getVertexShaderStage(e){return this._getShaderStage(e.vertexShader)}getFragmentShaderStage(e){return this._getShaderStage(e.fragmentShader)}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(e){let t=this.materialCache,n=t.get(e);return n===void 0&&(n=new Set,t.set(e,n)),n}_getShaderStage(e){let t=this.shaderCache,n=t.get(e);return n===void 0&&(n=new Ay(e),t.set(e,n)),n}},Ay=class{constructor(e){this.id=Oy++,this.code=e,this.usedTimes=0}};function jy(e){return e===1030||e===37490||e===36285}function My(e,t,n,r,i,a){let o=new Hf,s=new ky,c=new Set,l=[],u=new Map,d=r.logarithmicDepthBuffer,f={MeshDepthMaterial:`depth`,MeshDistanceMaterial:`distance`,MeshNormalMaterial:`normal`,MeshBasicMaterial:`basic`,MeshLambertMaterial:`lambert`,MeshPhongMaterial:`phong`,MeshToonMaterial:`toon`,MeshStandardMaterial:`physical`,MeshPhysicalMaterial:`physical`,MeshMatcapMaterial:`matcap`,LineBasicMaterial:`basic`,LineDashedMaterial:`dashed`,PointsMaterial:`points`,ShadowMaterial:`shadow`,SpriteMaterial:`sprite`};function p(e){return c.add(e),e===0?`uv`:`uv${e}`}function m(i,o,l,u,m,h){let g=u.fog,_=m.geometry,v=i.isMeshStandardMaterial||i.isMeshLambertMaterial||i.isMeshPhongMaterial?u.environment:null,y=i.isMeshStandardMaterial||i.isMeshLambertMaterial&&!i.envMap||i.isMeshPhongMaterial&&!i.envMap,b=t.get(i.envMap||v,y),x=f[i.type],S=r.precision;i.precision!==null&&(S=r.getMaxPrecision(i.precision),S!==i.precision&&J(`WebGLProgram.getParameters:`,i.precision,`not supported, using`,S,`instead.`));let C=_.morphAttributes.position||_.morphAttributes.normal||_.morphAttributes.color,w=C===void 0?0:C.length,T=0;_.morphAttributes.position!==void 0&&(T=1),_.morphAttributes.normal!==void 0&&(T=2),_.morphAttributes.color!==void 0&&(T=3);let E,D,O,k;if(x){let e=o_[x];E=e.vertexShader,D=e.fragmentShader}else{E=i.vertexShader,D=i.fragmentShader;let e=s.getVertexShaderStage(i),t=s.getFragmentShaderStage(i);s.update(i,e,t),O=e.id,k=t.id}let A=e.getRenderTarget(),j=e.state.buffers.depth.getReversed(),M=m.isInstancedMesh===!0,N=m.isBatchedMesh===!0,ee=!!i.map,te=!!i.matcap,ne=!!b,P=ne&&b.isPMREMTexture===!0,re=!!i.aoMap,F=!!i.lightMap,ie=!!i.bumpMap&&i.wireframe===!1,ae=!!i.normalMap,oe=!!i.displacementMap,I=!!i.emissiveMap,se=!!i.metalnessMap,ce=!!i.roughnessMap,le=i.anisotropy>0,ue=i.clearcoat>0,de=i.diffuseRoughness>0,fe=i.dispersion>0,pe=i.retroreflectivity>0,me=i.iridescence>0,he=i.sheen>0,ge=i.transmission>0,_e=le&&!!i.anisotropyMap,ve=ue&&!!i.clearcoatMap,ye=ue&&!!i.clearcoatNormalMap,be=ue&&!!i.clearcoatRoughnessMap,xe=de&&!!i.diffuseRoughnessMap,L=me&&!!i.iridescenceMap,R=me&&!!i.iridescenceThicknessMap,z=he&&!!i.sheenColorMap,Se=he&&!!i.sheenRoughnessMap,B=!!i.specularMap,Ce=!!i.specularColorMap,V=!!i.specularIntensityMap,H=ge&&!!i.transmissionMap,we=ge&&!!i.thicknessMap,Te=!!i.gradientMap,U=!!i.alphaMap,Ee=i.alphaTest>0,De=!!i.alphaHash,Oe=!!i.extensions,ke=0;i.toneMapped&&(A===null||A.isXRRenderTarget===!0)&&(ke=e.toneMapping);let Ae=P?b.isCompressedCubeTexture?b.image[0].mipmaps:b.mipmaps:null,je={shaderID:x,shaderType:i.type,shaderName:i.name,vertexShader:E,fragmentShader:D,defines:i.defines,customVertexShaderID:O,customFragmentShaderID:k,isRawShaderMaterial:i.isRawShaderMaterial===!0,glslVersion:i.glslVersion,precision:S,batching:N,batchingColor:N&&m._colorsTexture!==null,instancing:M,instancingColor:M&&m.instanceColor!==null,instancingMorph:M&&m.morphTexture!==null,outputColorSpace:A===null?e.outputColorSpace:A.isXRRenderTarget===!0?A.texture.colorSpace:hf.workingColorSpace,alphaToCoverage:!!i.alphaToCoverage,map:ee,matcap:te,envMap:ne,envMapMode:ne&&b.mapping,envMapPMREM:P,envMapMaxLod:P?Ae.length-1:null,envMapSize:P?Ae[0].width:null,aoMap:re,lightMap:F,bumpMap:ie,normalMap:ae,displacementMap:oe,emissiveMap:I,normalMapObjectSpace:ae&&i.normalMapType===1,normalMapTangentSpace:ae&&i.normalMapType===0,packedNormalMap:ae&&i.normalMapType===0&&jy(i.normalMap.format),metalnessMap:se,roughnessMap:ce,anisotropy:le,anisotropyMap:_e,clearcoat:ue,clearcoatMap:ve,clearcoatNormalMap:ye,clearcoatRoughnessMap:be,diffuseRoughness:de,diffuseRoughnessMap:xe,dispersion:fe,retroreflection:pe,iridescence:me,iridescenceMap:L,iridescenceThicknessMap:R,sheen:he,sheenColorMap:z,sheenRoughnessMap:Se,specularMap:B,specularColorMap:Ce,specularIntensityMap:V,transmission:ge,transmissionMap:H,thicknessMap:we,gradientMap:Te,opaque:i.transparent===!1&&i.blending===1&&i.alphaToCoverage===!1,alphaMap:U,alphaTest:Ee,alphaHash:De,combine:i.combine,mapUv:ee&&p(i.map.channel),aoMapUv:re&&p(i.aoMap.channel),lightMapUv:F&&p(i.lightMap.channel),bumpMapUv:ie&&p(i.bumpMap.channel),normalMapUv:ae&&p(i.normalMap.channel),displacementMapUv:oe&&p(i.displacementMap.channel),emissiveMapUv:I&&p(i.emissiveMap.channel),metalnessMapUv:se&&p(i.metalnessMap.channel),roughnessMapUv:ce&&p(i.roughnessMap.channel),anisotropyMapUv:_e&&p(i.anisotropyMap.channel),clearcoatMapUv:ve&&p(i.clearcoatMap.channel),clearcoatNormalMapUv:ye&&p(i.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:be&&p(i.clearcoatRoughnessMap.channel),diffuseRoughnessMapUv:xe&&p(i.diffuseRoughnessMap.channel),iridescenceMapUv:L&&p(i.iridescenceMap.channel),iridescenceThicknessMapUv:R&&p(i.iridescenceThicknessMap.channel),sheenColorMapUv:z&&p(i.sheenColorMap.channel),sheenRoughnessMapUv:Se&&p(i.sheenRoughnessMap.channel),specularMapUv:B&&p(i.specularMap.channel),specularColorMapUv:Ce&&p(i.specularColorMap.channel),specularIntensityMapUv:V&&p(i.specularIntensityMap.channel),transmissionMapUv:H&&p(i.transmissionMap.channel),thicknessMapUv:we&&p(i.thicknessMap.channel),alphaMapUv:U&&p(i.alphaMap.channel),vertexTangents:!!_.attributes.tangent&&(ae||le),vertexNormals:!!_.attributes.normal,vertexColors:i.vertexColors,vertexAlphas:i.vertexColors===!0&&!!_.attributes.color&&_.attributes.color.itemSize===4,pointsUvs:m.isPoints===!0&&!!_.attributes.uv&&(ee||U),fog:!!g,useFog:i.fog===!0,fogExp2:!!g&&g.isFogExp2,flatShading:i.wireframe===!1&&(i.flatShading===!0||_.attributes.normal===void 0&&ae===!1&&(i.isMeshLambertMaterial||i.isMeshPhongMaterial||i.isMeshStandardMaterial||i.isMeshPhysicalMaterial)),sizeAttenuation:i.sizeAttenuation===!0,logarithmicDepthBuffer:d,reversedDepthBuffer:j,skinning:m.isSkinnedMesh===!0,hasPositionAttribute:_.attributes.position!==void 0,morphTargets:_.morphAttributes.position!==void 0,morphNormals:_.morphAttributes.normal!==void 0,morphColors:_.morphAttributes.color!==void 0,morphTargetsCount:w,morphTextureStride:T,numSunLights:o.sun.length,numDirLights:o.directional.length,numPointLights:o.point.length,numSpotLights:o.spot.length,numSpotLightMaps:o.spotLightMap.length,numRectAreaLights:o.rectArea.length,numHemiLights:o.hemi.length,numSunLightShadows:o.sunShadowMap.length,numDirLightShadows:o.directionalShadowMap.length,numPointLightShadows:o.pointShadowMap.length,numSpotLightShadows:o.spotShadowMap.length,numSpotLightShadowsWithMaps:o.numSpotLightShadowsWithMaps,numLightProbes:o.numLightProbes,numLightProbeGrids:h.filter(e=>e.texture!==null).length,numClippingPlanes:a.numPlanes,numClipIntersection:a.numIntersection,dithering:i.dithering,shadowMapEnabled:e.shadowMap.enabled&&l.length>0,shadowMapType:e.shadowMap.type,toneMapping:ke,decodeVideoTexture:ee&&i.map.isVideoTexture===!0&&hf.getTransfer(i.map.colorSpace)===`srgb`,decodeVideoTextureEmissive:I&&i.emissiveMap.isVideoTexture===!0&&hf.getTransfer(i.emissiveMap.colorSpace)===`srgb`,premultipliedAlpha:i.premultipliedAlpha,doubleSided:i.side===2,flipSided:i.side===1,useDepthPacking:i.depthPacking>=0,depthPacking:i.depthPacking||0,index0AttributeName:i.index0AttributeName,extensionClipCullDistance:Oe&&i.extensions.clipCullDistance===!0&&n.has(`WEBGL_clip_cull_distance`),extensionMultiDraw:(Oe&&i.extensions.multiDraw===!0||N)&&n.has(`WEBGL_multi_draw`),rendererExtensionParallelShaderCompile:n.has(`KHR_parallel_shader_compile`),customProgramCacheKey:i.customProgramCacheKey()};return je.vertexUv1s=c.has(1),je.vertexUv2s=c.has(2),je.vertexUv3s=c.has(3),c.clear(),je}function h(t){let n=[];if(t.shaderID?n.push(t.shaderID):(n.push(t.customVertexShaderID),n.push(t.customFragmentShaderID)),t.defines!==void 0)for(let e in t.defines)n.push(e),n.push(t.defines[e]);return t.isRawShaderMaterial===!1&&(g(n,t),_(n,t),n.push(e.outputColorSpace)),n.push(t.customProgramCacheKey),n.join()}function g(e,t){e.push(t.precision),e.push(t.outputColorSpace),e.push(t.envMapMode),e.push(t.envMapPMREM),e.push(t.envMapMaxLod),e.push(t.envMapSize),e.push(t.mapUv),e.push(t.alphaMapUv),e.push(t.lightMapUv),e.push(t.aoMapUv),e.push(t.bumpMapUv),e.push(t.normalMapUv),e.push(t.displacementMapUv),e.push(t.emissiveMapUv),e.push(t.metalnessMapUv),e.push(t.roughnessMapUv),e.push(t.anisotropyMapUv),e.push(t.clearcoatMapUv),e.push(t.clearcoatNormalMapUv),e.push(t.clearcoatRoughnessMapUv),e.push(t.diffuseRoughnessMapUv),e.push(t.iridescenceMapUv),e.push(t.iridescenceThicknessMapUv),e.push(t.sheenColorMapUv),e.push(t.sheenRoughnessMapUv),e.push(t.specularMapUv),e.push(t.specularColorMapUv),e.push(t.specularIntensityMapUv),e.push(t.transmissionMapUv),e.push(t.thicknessMapUv),e.push(t.combine),e.push(t.fogExp2),e.push(t.sizeAttenuation),e.push(t.morphTargetsCount),e.push(t.numSunLights),e.push(t.numDirLights),e.push(t.numPointLights),e.push(t.numSpotLights),e.push(t.numSpotLightMaps),e.push(t.numHemiLights),e.push(t.numRectAreaLights),e.push(t.numSunLightShadows),e.push(t.numDirLightShadows),e.push(t.numPointLightShadows),e.push(t.numSpotLightShadows),e.push(t.numSpotLightShadowsWithMaps),e.push(t.numLightProbes),e.push(t.numLightProbeGrids),e.push(t.shadowMapType),e.push(t.toneMapping),e.push(t.numClippingPlanes),e.push(t.numClipIntersection),e.push(t.depthPacking)}function _(e,t){o.disableAll(),t.instancing&&o.enable(0),t.instancingColor&&o.enable(1),t.instancingMorph&&o.enable(2),t.matcap&&o.enable(3),t.envMap&&o.enable(4),t.normalMapObjectSpace&&o.enable(5),t.normalMapTangentSpace&&o.enable(6),t.clearcoat&&o.enable(7),t.iridescence&&o.enable(8),t.alphaTest&&o.enable(9),t.vertexColors&&o.enable(10),t.vertexAlphas&&o.enable(11),t.vertexUv1s&&o.enable(12),t.vertexUv2s&&o.enable(13),t.vertexUv3s&&o.enable(14),t.vertexTangents&&o.enable(15),t.anisotropy&&o.enable(16),t.alphaHash&&o.enable(17),t.batching&&o.enable(18),t.dispersion&&o.enable(19),t.retroreflection&&o.enable(24),t.diffuseRoughness&&o.enable(25),t.batchingColor&&o.enable(20),t.gradientMap&&o.enable(21),t.packedNormalMap&&o.enable(22),t.vertexNormals&&o.enable(23),e.push(o.mask),o.disableAll(),t.fog&&o.enable(0),t.useFog&&o.enable(1),t.flatShading&&o.enable(2),t.logarithmicDepthBuffer&&o.enable(3),t.reversedDepthBuffer&&o.enable(4),t.skinning&&o.enable(5),t.morphTargets&&o.enable(6),t.morphNormals&&o.enable(7),t.morphColors&&o.enable(8),t.premultipliedAlpha&&o.enable(9),t.shadowMapEnabled&&o.enable(10),t.doubleSided&&o.enable(11),t.flipSided&&o.enable(12),t.useDepthPacking&&o.enable(13),t.dithering&&o.enable(14),t.transmission&&o.enable(15),t.sheen&&o.enable(16),t.opaque&&o.enable(17),t.pointsUvs&&o.enable(18),t.decodeVideoTexture&&o.enable(19),t.decodeVideoTextureEmissive&&o.enable(20),t.alphaToCoverage&&o.enable(21),t.numLightProbeGrids>0&&o.enable(22),t.hasPositionAttribute&&o.enable(23),e.push(o.mask)}function v(e){let t=f[e.type],n;if(t){let e=o_[t];n=Vh.clone(e.uniforms)}else n=e.uniforms;return n}function y(t,n){let r=u.get(n);return r===void 0?(r=new Dy(e,n,t,i),l.push(r),u.set(n,r)):++r.usedTimes,r}function b(e){if(--e.usedTimes===0){let t=l.indexOf(e);l[t]=l[l.length-1],l.pop(),u.delete(e.cacheKey),e.destroy()}}function x(e){s.remove(e)}function S(){s.dispose()}return{getParameters:m,getProgramCacheKey:h,getUniforms:v,acquireProgram:y,releaseProgram:b,releaseShaderCache:x,programs:l,dispose:S}}function Ny(){let e=new WeakMap;function t(t){return e.has(t)}function n(t){let n=e.get(t);return n===void 0&&(n={},e.set(t,n)),n}function r(t){e.delete(t)}function i(t,n,r){e.get(t)[n]=r}function a(){e=new WeakMap}return{has:t,get:n,remove:r,update:i,dispose:a}}function Py(e,t){return e.groupOrder===t.groupOrder?e.renderOrder===t.renderOrder?e.material.id===t.material.id?e.materialVariant===t.materialVariant?e.z===t.z?e.id-t.id:e.z-t.z:e.materialVariant-t.materialVariant:e.material.id-t.material.id:e.renderOrder-t.renderOrder:e.groupOrder-t.groupOrder}function Fy(e,t){return e.groupOrder===t.groupOrder?e.renderOrder===t.renderOrder?e.z===t.z?e.id-t.id:t.z-e.z:e.renderOrder-t.renderOrder:e.groupOrder-t.groupOrder}function Iy(){let e=[],t=0,n=[],r=[],i=[];function a(){t=0,n.length=0,r.length=0,i.length=0}function o(e){let t=0;return e.isInstancedMesh&&(t+=2),e.isSkinnedMesh&&(t+=1),t}function s(n,r,i,a,s,c){let l=e[t];return l===void 0?(l={id:n.id,object:n,geometry:r,material:i,materialVariant:o(n),groupOrder:a,renderOrder:n.renderOrder,z:s,group:c},e[t]=l):(l.id=n.id,l.object=n,l.geometry=r,l.material=i,l.materialVariant=o(n),l.groupOrder=a,l.renderOrder=n.renderOrder,l.z=s,l.group=c),t++,l}function c(e,t,a,o,c,l,u){u.reversedDepth===!0&&(c=-c);let d=s(e,t,a,o,c,l);a.transmission>0?r.push(d):a.transparent===!0?i.push(d):n.push(d)}function l(e,t,a,o,c,l){let u=s(e,t,a,o,c,l);a.transmission>0?r.unshift(u):a.transparent===!0?i.unshift(u):n.unshift(u)}function u(e,t){n.length>1&&n.sort(e||Py),r.length>1&&r.sort(t||Fy),i.length>1&&i.sort(t||Fy)}function d(){for(let n=t,r=e.length;n<r;n++){let t=e[n];if(t.id===null)break;t.id=null,t.object=null,t.geometry=null,t.material=null,t.group=null}}return{opaque:n,transmissive:r,transparent:i,init:a,push:c,unshift:l,finish:d,sort:u}}function Ly(){let e=new WeakMap;function t(t,n){let r=e.get(t),i;return r===void 0?(i=new Iy,e.set(t,[i])):n>=r.length?(i=new Iy,r.push(i)):i=r[n],i}function n(){e=new WeakMap}return{get:t,dispose:n}}function Ry(){let e={};return{get:function(t){if(e[t.id]!==void 0)return e[t.id];let n;switch(t.type){case`SunLight`:case`DirectionalLight`:n={direction:new Z,color:new Q};break;case`SpotLight`:n={position:new Z,direction:new Z,color:new Q,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case`PointLight`:n={position:new Z,color:new Q,distance:0,decay:0};break;case`HemisphereLight`:n={direction:new Z,skyColor:new Q,groundColor:new Q};break;case`RectAreaLight`:n={color:new Q,position:new Z,halfWidth:new Z,halfHeight:new Z}}return e[t.id]=n,n}}}function zy(){let e={};return{get:function(t){if(e[t.id]!==void 0)return e[t.id];let n;switch(t.type){case`SunLight`:case`DirectionalLight`:n={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new X};break;case`SpotLight`:n={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new X};break;case`PointLight`:n={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new X,shadowCameraNear:1,shadowCameraFar:1e3}}return e[t.id]=n,n}}}var By=0;function Vy(e,t){return(t.castShadow?2:0)-(e.castShadow?2:0)+ +!!t.map-!!e.map}function Hy(e){let t=new Ry,n=zy(),r={version:0,hash:{sunLength:-1,directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numSunShadows:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],sun:[],sunShadow:[],sunShadowMap:[],sunShadowMatrix:[],sunShadowCascade:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let e=0;e<9;e++)r.probe.push(new Z);let i=new Z,a=new jf,o=new jf;function s(i){let a=0,o=0,s=0;for(let e=0;e<9;e++)r.probe[e].set(0,0,0);let c=0,l=0,u=0,d=0,f=0,p=0,m=0,h=0,g=0,_=0,v=0,y=0,b=0,x=0;i.sort(Vy);for(let e=0,S=i.length;e<S;e++){let S=i[e],C=S.color,w=S.intensity,T=S.distance,E=null;if(S.shadow&&S.shadow.map&&(E=S.shadow.map.texture.format===1030?S.shadow.map.texture:S.shadow.map.depthTexture||S.shadow.map.texture),S.isAmbientLight)a+=C.r*w,o+=C.g*w,s+=C.b*w;else if(S.isLightProbe){for(let e=0;e<9;e++)r.probe[e].addScaledVector(S.sh.coefficients[e],w);x++}else if(S.isSunLight){let e=t.get(S);if(e.color.copy(S.color).multiplyScalar(S.intensity),S.castShadow){let e=S.shadow,t=n.get(S);t.shadowIntensity=e.intensity,t.shadowBias=e.bias,t.shadowNormalBias=e.normalBias,t.shadowRadius=e.radius,t.shadowMapSize.copy(e.mapSize).multiply(e.getFrameExtents()),r.sunShadow[l]=t,r.sunShadowMap[l]=E;let i=e.getViewportCount();for(let t=0;t<i;t++)r.sunShadowMatrix[u+t]=e.getMatrix(t),r.sunShadowCascade[u+t]=e._cascadeData[t];u+=i,l++}r.sun[c]=e,c++}else if(S.isDirectionalLight){let e=t.get(S);if(e.color.copy(S.color).multiplyScalar(S.intensity),S.castShadow){let e=S.shadow,t=n.get(S);t.shadowIntensity=e.intensity,t.shadowBias=e.bias,t.shadowNormalBias=e.normalBias,t.shadowRadius=e.radius,t.shadowMapSize=e.mapSize,r.directionalShadow[d]=t,r.directionalShadowMap[d]=E,r.directionalShadowMatrix[d]=S.shadow.matrix,g++}r.directional[d]=e,d++}else if(S.isSpotLight){let e=t.get(S);e.position.setFromMatrixPosition(S.matrixWorld),e.color.copy(C).multiplyScalar(w),e.distance=T,e.coneCos=Math.cos(S.angle),e.penumbraCos=Math.cos(S.angle*(1-S.penumbra)),e.decay=S.decay,r.spot[p]=e;let i=S.shadow;if(S.map&&(r.spotLightMap[y]=S.map,y++,i.updateMatrices(S),S.castShadow&&b++),r.spotLightMatrix[p]=i.matrix,S.castShadow){let e=n.get(S);e.shadowIntensity=i.intensity,e.shadowBias=i.bias,e.shadowNormalBias=i.normalBias,e.shadowRadius=i.radius,e.shadowMapSize=i.mapSize,r.spotShadow[p]=e,r.spotShadowMap[p]=E,v++}p++}else if(S.isRectAreaLight){let e=t.get(S);e.color.copy(C).multiplyScalar(w),e.halfWidth.set(S.width*.5,0,0),e.halfHeight.set(0,S.height*.5,0),r.rectArea[m]=e,m++}else if(S.isPointLight){let e=t.get(S);if(e.color.copy(S.color).multiplyScalar(S.intensity),e.distance=S.distance,e.decay=S.decay,S.castShadow){let e=S.shadow,t=n.get(S);t.shadowIntensity=e.intensity,t.shadowBias=e.bias,t.shadowNormalBias=e.normalBias,t.shadowRadius=e.radius,t.shadowMapSize=e.mapSize,t.shadowCameraNear=e.camera.near,t.shadowCameraFar=e.camera.far,r.pointShadow[f]=t,r.pointShadowMap[f]=E,r.pointShadowMatrix[f]=S.shadow.matrix,_++}r.point[f]=e,f++}else if(S.isHemisphereLight){let e=t.get(S);e.skyColor.copy(S.color).multiplyScalar(w),e.groundColor.copy(S.groundColor).multiplyScalar(w),r.hemi[h]=e,h++}}m>0&&(e.has(`OES_texture_float_linear`)===!0?(r.rectAreaLTC1=$.LTC_FLOAT_1,r.rectAreaLTC2=$.LTC_FLOAT_2):(r.rectAreaLTC1=$.LTC_HALF_1,r.rectAreaLTC2=$.LTC_HALF_2)),r.ambient[0]=a,r.ambient[1]=o,r.ambient[2]=s;let S=r.hash;(S.sunLength!==c||S.directionalLength!==d||S.pointLength!==f||S.spotLength!==p||S.rectAreaLength!==m||S.hemiLength!==h||S.numSunShadows!==l||S.numDirectionalShadows!==g||S.numPointShadows!==_||S.numSpotShadows!==v||S.numSpotMaps!==y||S.numLightProbes!==x)&&(r.sun.length=c,r.directional.length=d,r.spot.length=p,r.rectArea.length=m,r.point.length=f,r.hemi.length=h,r.sunShadow.length=l,r.sunShadowMap.length=l,r.sunShadowMatrix.length=u,r.sunShadowCascade.length=u,r.directionalShadow.length=g,r.directionalShadowMap.length=g,r.directionalShadowMatrix.length=g,r.pointShadow.length=_,r.pointShadowMap.length=_,r.pointShadowMatrix.length=_,r.spotShadow.length=v,r.spotShadowMap.length=v,r.spotLightMatrix.length=v+y-b,r.spotLightMap.length=y,r.numSpotLightShadowsWithMaps=b,r.numLightProbes=x,S.sunLength=c,S.directionalLength=d,S.pointLength=f,S.spotLength=p,S.rectAreaLength=m,S.hemiLength=h,S.numSunShadows=l,S.numDirectionalShadows=g,S.numPointShadows=_,S.numSpotShadows=v,S.numSpotMaps=y,S.numLightProbes=x,r.version=By++)}function c(e,t){let n=0,s=0,c=0,l=0,u=0,d=0,f=t.matrixWorldInverse;for(let t=0,p=e.length;t<p;t++){let p=e[t];if(p.isSunLight){let e=r.sun[n];e.direction.setFromMatrixPosition(p.matrixWorld),e.direction.transformDirection(f),n++}else if(p.isDirectionalLight){let e=r.directional[s];e.direction.setFromMatrixPosition(p.matrixWorld),i.setFromMatrixPosition(p.target.matrixWorld),e.direction.sub(i),e.direction.transformDirection(f),s++}else if(p.isSpotLight){let e=r.spot[l];e.position.setFromMatrixPosition(p.matrixWorld),e.position.applyMatrix4(f),e.direction.setFromMatrixPosition(p.matrixWorld),i.setFromMatrixPosition(p.target.matrixWorld),e.direction.sub(i),e.direction.transformDirection(f),l++}else if(p.isRectAreaLight){let e=r.rectArea[u];e.position.setFromMatrixPosition(p.matrixWorld),e.position.applyMatrix4(f),o.identity(),a.copy(p.matrixWorld),a.premultiply(f),o.extractRotation(a),e.halfWidth.set(p.width*.5,0,0),e.halfHeight.set(0,p.height*.5,0),e.halfWidth.applyMatrix4(o),e.halfHeight.applyMatrix4(o),u++}else if(p.isPointLight){let e=r.point[c];e.position.setFromMatrixPosition(p.matrixWorld),e.position.applyMatrix4(f),c++}else if(p.isHemisphereLight){let e=r.hemi[d];e.direction.setFromMatrixPosition(p.matrixWorld),e.direction.transformDirection(f),d++}}}return{setup:s,setupView:c,state:r}}function Uy(e){let t=new Hy(e),n=[],r=[],i=[];function a(e){u.camera=e,n.length=0,r.length=0,i.length=0}function o(e){e.isLightProbeGrid?i.push(e):n.push(e)}function s(e){r.push(e)}function c(){t.setup(n),i.sort((e,t)=>e.priority-t.priority||e.id-t.id)}function l(e){t.setupView(n,e)}let u={lightsArray:n,shadowsArray:r,lightProbeGridArray:i,camera:null,lights:t,transmissionRenderTarget:{},textureUnits:0};return{init:a,state:u,setupLights:c,setupLightsView:l,pushLight:o,pushShadow:s}}function Wy(e){let t=new WeakMap;function n(n,r=0){let i=t.get(n),a;return i===void 0?(a=new Uy(e),t.set(n,[a])):r>=i.length?(a=new Uy(e),i.push(a)):a=i[r],a}function r(){t=new WeakMap}return{get:n,dispose:r}}var Gy=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,Ky=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
void main() {
	const float samples = float( VSM_SAMPLES );
	float mean = 0.0;
	float squared_mean = 0.0;
	float uvStride = samples <= 1.0 ? 0.0 : 2.0 / ( samples - 1.0 );
	float uvStart = samples <= 1.0 ? 0.0 : - 1.0;
	for ( float i = 0.0; i < samples; i ++ ) {
		float uvOffset = uvStart + i * uvStride;
		#ifdef HORIZONTAL_PASS
			vec2 distribution = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( uvOffset, 0.0 ) * radius ) / resolution ).rg;
			mean += distribution.x;
			squared_mean += distribution.y * distribution.y + distribution.x * distribution.x;
		#else
			float depth = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( 0.0, uvOffset ) * radius ) / resolution ).r;
			mean += depth;
			squared_mean += depth * depth;
		#endif
	}
	mean = mean / samples;
	squared_mean = squared_mean / samples;
	float std_dev = sqrt( max( 0.0, squared_mean - mean * mean ) );
	gl_FragColor = vec4( mean, std_dev, 0.0, 1.0 );
}`,qy=[new Z(1,0,0),new Z(-1,0,0),new Z(0,1,0),new Z(0,-1,0),new Z(0,0,1),new Z(0,0,-1)],Jy=[new Z(0,-1,0),new Z(0,-1,0),new Z(0,0,1),new Z(0,0,-1),new Z(0,-1,0),new Z(0,-1,0)],Yy=new jf,Xy=new Z,Zy=new Z;function Qy(e,t,n){let r=new sh,i=new X,a=new X,o=new Ef,s=new qh,c=new Jh,l={},u=n.maxTextureSize,d={0:1,1:0,2:2},f=new Wh({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new X},radius:{value:4}},vertexShader:Gy,fragmentShader:Ky}),p=f.clone();p.defines.HORIZONTAL_PASS=1;let m=new sm;m.setAttribute(`position`,new Kp(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));let h=new jm(m,f),g=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=1;let _=this.type;this.render=function(t,n,s){if(g.enabled===!1||g.autoUpdate===!1&&g.needsUpdate===!1||t.length===0)return;this.type===2&&(J(`WebGLShadowMap: PCFSoftShadowMap has been removed. Using PCFShadowMap instead.`),this.type=1);let c=e.getRenderTarget(),l=e.getActiveCubeFace(),d=e.getActiveMipmapLevel(),f=e.state;f.setBlending(0),f.buffers.depth.getReversed()===!0?f.buffers.color.setClear(0,0,0,0):f.buffers.color.setClear(1,1,1,1),f.buffers.depth.setTest(!0),f.setScissorTest(!1);let p=_!==this.type;p&&n.traverse(function(e){e.material&&(Array.isArray(e.material)?e.material.forEach(e=>e.needsUpdate=!0):e.material.needsUpdate=!0)});for(let c=0,l=t.length;c<l;c++){let l=t[c],d=l.shadow;if(d===void 0){J(`WebGLShadowMap:`,l,`has no shadow.`);continue}if(d.autoUpdate===!1&&d.needsUpdate===!1)continue;i.copy(d.mapSize);let m=d.getFrameExtents();i.multiply(m),a.copy(d.mapSize),(i.x>u||i.y>u)&&(i.x>u&&(a.x=Math.floor(u/m.x),i.x=a.x*m.x,d.mapSize.x=a.x),i.y>u&&(a.y=Math.floor(u/m.y),i.y=a.y*m.y,d.mapSize.y=a.y));let h=e.state.buffers.depth.getReversed();if(d.camera._reversedDepth=h,d.map===null||p===!0){if(d.map!==null&&(d.map.depthTexture!==null&&(d.map.depthTexture.dispose(),d.map.depthTexture=null),d.map.dispose()),this.type===3){if(l.isPointLight){J(`WebGLShadowMap: VSM shadow maps are not supported for PointLights. Use PCF or BasicShadowMap instead.`);continue}d.map=new Of(i.x,i.y,{format:xu,type:cu,minFilter:Ql,magFilter:Ql,generateMipmaps:!1}),d.map.texture.name=l.name+`.shadowMap`,d.map.depthTexture=new Th(i.x,i.y,su),d.map.depthTexture.name=l.name+`.shadowMapDepth`,d.map.depthTexture.format=_u,d.map.depthTexture.compareFunction=null,d.map.depthTexture.minFilter=Yl,d.map.depthTexture.magFilter=Yl}else l.isPointLight?(d.map=new h_(i.x),d.map.depthTexture=new Eh(i.x,ou)):(d.map=new Of(i.x,i.y),d.map.depthTexture=new Th(i.x,i.y,ou)),d.map.depthTexture.name=l.name+`.shadowMap`,d.map.depthTexture.format=_u,this.type===1?(d.map.depthTexture.compareFunction=h?518:515,d.map.depthTexture.minFilter=Ql,d.map.depthTexture.magFilter=Ql):(d.map.depthTexture.compareFunction=null,d.map.depthTexture.minFilter=Yl,d.map.depthTexture.magFilter=Yl);d.camera.updateProjectionMatrix()}d.map.isWebGLCubeRenderTarget!==!0&&(d.map.width!==i.x||d.map.height!==i.y)&&d.map.setSize(i.x,i.y);let g=d.map.isWebGLCubeRenderTarget?6:d.getViewportCount();l.isPointLight!==!0&&d.updateMatrices(l,s);let _=d.camera.layers.mask&4294967294?d.camera.layers:s.layers;for(let t=0;t<g;t++){let i=d.getCamera(t);if(l.isPointLight){let e=d.camera,n=d.matrix,r=l.distance||e.far;r!==e.far&&(e.far=r,e.updateProjectionMatrix()),Xy.setFromMatrixPosition(l.matrixWorld),e.position.copy(Xy),Zy.copy(e.position),Zy.add(qy[t]),e.up.copy(Jy[t]),e.lookAt(Zy),e.updateMatrixWorld(),n.makeTranslation(-Xy.x,-Xy.y,-Xy.z),Yy.multiplyMatrices(e.projectionMatrix,e.matrixWorldInverse),d._frustum.setFromProjectionMatrix(Yy,e.coordinateSystem,e.reversedDepth)}if(d.map.isWebGLCubeRenderTarget)e.setRenderTarget(d.map,t),e.clear();else{t===0&&(e.setRenderTarget(d.map),e.clear());let n=d.getViewport(t);o.set(a.x*n.x,a.y*n.y,a.x*n.z,a.y*n.w),f.viewport(o)}r=d.getFrustum(t),b(n,s,i,l,_,this.type)}d.isPointLightShadow!==!0&&this.type===3&&v(d,s),d.needsUpdate=!1}_=this.type,g.needsUpdate=!1,e.setRenderTarget(c,l,d)};function v(n,r){let a=t.update(h);f.defines.VSM_SAMPLES!==n.blurSamples&&(f.defines.VSM_SAMPLES=n.blurSamples,p.defines.VSM_SAMPLES=n.blurSamples,f.needsUpdate=!0,p.needsUpdate=!0),n.mapPass===null?n.mapPass=new Of(i.x,i.y,{format:xu,type:cu}):(n.mapPass.width!==n.map.width||n.mapPass.height!==n.map.height)&&n.mapPass.setSize(n.map.width,n.map.height),f.uniforms.shadow_pass.value=n.map.depthTexture,f.uniforms.resolution.value.set(n.map.width,n.map.height),f.uniforms.radius.value=n.radius,e.setRenderTarget(n.mapPass),e.clear(),e.renderBufferDirect(r,null,a,f,h,null),p.uniforms.shadow_pass.value=n.mapPass.texture,p.uniforms.resolution.value.set(n.map.width,n.map.height),p.uniforms.radius.value=n.radius,e.setRenderTarget(n.map),e.clear(),e.renderBufferDirect(r,null,a,p,h,null)}function y(t,n,r,i){let a=null,o=r.isPointLight===!0?t.customDistanceMaterial:t.customDepthMaterial;if(o!==void 0)a=o;else if(a=r.isPointLight===!0?c:s,e.localClippingEnabled&&n.clipShadows===!0&&Array.isArray(n.clippingPlanes)&&n.clippingPlanes.length!==0||n.displacementMap&&n.displacementScale!==0||n.alphaMap&&n.alphaTest>0||n.map&&n.alphaTest>0||n.alphaToCoverage===!0){let e=a.uuid,t=n.uuid,r=l[e];r===void 0&&(r={},l[e]=r);let i=r[t];i===void 0&&(i=a.clone(),r[t]=i,n.addEventListener(`dispose`,x)),a=i}if(a.visible=n.visible,a.wireframe=n.wireframe,i===3?a.side=n.shadowSide===null?n.side:n.shadowSide:a.side=n.shadowSide===null?d[n.side]:n.shadowSide,a.alphaMap=n.alphaMap,a.alphaTest=n.alphaToCoverage===!0?.5:n.alphaTest,a.map=n.map,a.clipShadows=n.clipShadows,a.clippingPlanes=n.clippingPlanes,a.clipIntersection=n.clipIntersection,a.displacementMap=n.displacementMap,a.displacementScale=n.displacementScale,a.displacementBias=n.displacementBias,a.wireframeLinewidth=n.wireframeLinewidth,a.linewidth=n.linewidth,r.isPointLight===!0&&a.isMeshDistanceMaterial===!0){let t=e.properties.get(a);t.light=r}return a}function b(n,i,a,o,s,c){if(n.visible===!1)return;if(n.layers.test(s)&&(n.isMesh||n.isLine||n.isPoints)&&(n.castShadow||n.receiveShadow&&c===3)&&(!n.frustumCulled||n.intersectsFrustum(r))){n.modelViewMatrix.multiplyMatrices(a.matrixWorldInverse,n.matrixWorld);let r=t.update(n),s=n.material;if(Array.isArray(s)){let t=r.groups;for(let l=0,u=t.length;l<u;l++){let u=t[l],d=s[u.materialIndex];if(d&&d.visible){let t=y(n,d,o,c);n.onBeforeShadow(e,n,i,a,r,t,u),e.renderBufferDirect(a,null,r,t,n,u),n.onAfterShadow(e,n,i,a,r,t,u)}}}else if(s.visible){let t=y(n,s,o,c);n.onBeforeShadow(e,n,i,a,r,t,null),e.renderBufferDirect(a,null,r,t,n,null),n.onAfterShadow(e,n,i,a,r,t,null)}}let l=n.children;for(let e=0,t=l.length;e<t;e++)b(l[e],i,a,o,s,c)}function x(e){e.target.removeEventListener(`dispose`,x);for(let t in l){let n=l[t],r=e.target.uuid;r in n&&(n[r].dispose(),delete n[r])}}}function $y(e,t){function n(){let t=!1,n=new Ef,r=null,i=new Ef(0,0,0,0);return{setMask:function(n){r!==n&&!t&&(e.colorMask(n,n,n,n),r=n)},setLocked:function(e){t=e},setClear:function(t,r,a,o,s){s===!0&&(t*=o,r*=o,a*=o),n.set(t,r,a,o),i.equals(n)===!1&&(e.clearColor(t,r,a,o),i.copy(n))},reset:function(){t=!1,r=null,i.set(-1,0,0,0)}}}function r(){let n=!1,r=!1,i=null,a=null,o=null;return{setReversed:function(e){if(r!==e){let n=t.get(`EXT_clip_control`);e?n.clipControlEXT(n.LOWER_LEFT_EXT,n.ZERO_TO_ONE_EXT):n.clipControlEXT(n.LOWER_LEFT_EXT,n.NEGATIVE_ONE_TO_ONE_EXT),r=e;let i=o;o=null,this.setClear(i)}},getReversed:function(){return r},setTest:function(t){t?se(e.DEPTH_TEST):ce(e.DEPTH_TEST)},setMask:function(t){i!==t&&!n&&(e.depthMask(t),i=t)},setFunc:function(t){if(r&&(t=Ad[t]),a!==t){switch(t){case 0:e.depthFunc(e.NEVER);break;case 1:e.depthFunc(e.ALWAYS);break;case 2:e.depthFunc(e.LESS);break;case 3:e.depthFunc(e.LEQUAL);break;case 4:e.depthFunc(e.EQUAL);break;case 5:e.depthFunc(e.GEQUAL);break;case 6:e.depthFunc(e.GREATER);break;case 7:e.depthFunc(e.NOTEQUAL);break;default:e.depthFunc(e.LEQUAL)}a=t}},setLocked:function(e){n=e},setClear:function(t){o!==t&&(o=t,r&&(t=1-t),e.clearDepth(t))},reset:function(){n=!1,i=null,a=null,o=null,r=!1}}}function i(){let t=!1,n=null,r=null,i=null,a=null,o=null,s=null,c=null,l=null;return{setTest:function(n){t||(n?se(e.STENCIL_TEST):ce(e.STENCIL_TEST))},setMask:function(r){n!==r&&!t&&(e.stencilMask(r),n=r)},setFunc:function(t,n,o){(r!==t||i!==n||a!==o)&&(e.stencilFunc(t,n,o),r=t,i=n,a=o)},setOp:function(t,n,r){(o!==t||s!==n||c!==r)&&(e.stencilOp(t,n,r),o=t,s=n,c=r)},setLocked:function(e){t=e},setClear:function(t){l!==t&&(e.clearStencil(t),l=t)},reset:function(){t=!1,n=null,r=null,i=null,a=null,o=null,s=null,c=null,l=null}}}let a=new n,o=new r,s=new i,c={},l=new WeakMap,u={},d={},f={},p=new WeakMap,m=[],h=null,g=!1,_=null,v=null,y=null,b=null,x=null,S=null,C=null,w=new Q(0,0,0),T=0,E=!1,D=null,O=null,k=null,A=null,j=null,M=e.getParameter(e.MAX_COMBINED_TEXTURE_IMAGE_UNITS),N=!1,ee=0,te=e.getParameter(e.VERSION);te.indexOf(`WebGL`)===-1?te.indexOf(`OpenGL ES`)!==-1&&(ee=parseFloat(/^OpenGL ES (\d)/.exec(te)[1]),N=ee>=2):(ee=parseFloat(/^WebGL (\d)/.exec(te)[1]),N=ee>=1);let ne=null,P={},re=e.getParameter(e.SCISSOR_BOX),F=e.getParameter(e.VIEWPORT),ie=new Ef().fromArray(re),ae=new Ef().fromArray(F);function oe(t,n,r,i){let a=new Uint8Array(4),o=e.createTexture();e.bindTexture(t,o),e.texParameteri(t,e.TEXTURE_MIN_FILTER,e.NEAREST),e.texParameteri(t,e.TEXTURE_MAG_FILTER,e.NEAREST);for(let o=0;o<r;o++)t===e.TEXTURE_3D||t===e.TEXTURE_2D_ARRAY?e.texImage3D(n,0,e.RGBA,1,1,i,0,e.RGBA,e.UNSIGNED_BYTE,a):e.texImage2D(n+o,0,e.RGBA,1,1,0,e.RGBA,e.UNSIGNED_BYTE,a);return o}let I={};I[e.TEXTURE_2D]=oe(e.TEXTURE_2D,e.TEXTURE_2D,1),I[e.TEXTURE_CUBE_MAP]=oe(e.TEXTURE_CUBE_MAP,e.TEXTURE_CUBE_MAP_POSITIVE_X,6),I[e.TEXTURE_2D_ARRAY]=oe(e.TEXTURE_2D_ARRAY,e.TEXTURE_2D_ARRAY,1,1),I[e.TEXTURE_3D]=oe(e.TEXTURE_3D,e.TEXTURE_3D,1,1),a.setClear(0,0,0,1),o.setClear(1),s.setClear(0),se(e.DEPTH_TEST),o.setFunc(3),ge(!1),_e(1),se(e.CULL_FACE),me(0);function se(t){u[t]!==!0&&(e.enable(t),u[t]=!0)}function ce(t){u[t]!==!1&&(e.disable(t),u[t]=!1)}function le(t,n){return f[t]!==n&&(e.bindFramebuffer(t,n),f[t]=n,t===e.DRAW_FRAMEBUFFER&&(f[e.FRAMEBUFFER]=n),t===e.FRAMEBUFFER&&(f[e.DRAW_FRAMEBUFFER]=n),!0)}function ue(t,n){let r=m,i=!1;if(t){r=p.get(n),r===void 0&&(r=[],p.set(n,r));let a=t.textures;if(r.length!==a.length||r[0]!==e.COLOR_ATTACHMENT0){for(let t=0,n=a.length;t<n;t++)r[t]=e.COLOR_ATTACHMENT0+t;r.length=a.length,i=!0}}else r[0]!==e.BACK&&(r[0]=e.BACK,i=!0);i&&e.drawBuffers(r)}function de(t){return h!==t&&(e.useProgram(t),h=t,!0)}let fe={100:e.FUNC_ADD,101:e.FUNC_SUBTRACT,102:e.FUNC_REVERSE_SUBTRACT};fe[103]=e.MIN,fe[104]=e.MAX;let pe={200:e.ZERO,201:e.ONE,202:e.SRC_COLOR,204:e.SRC_ALPHA,210:e.SRC_ALPHA_SATURATE,208:e.DST_COLOR,206:e.DST_ALPHA,203:e.ONE_MINUS_SRC_COLOR,205:e.ONE_MINUS_SRC_ALPHA,209:e.ONE_MINUS_DST_COLOR,207:e.ONE_MINUS_DST_ALPHA,211:e.CONSTANT_COLOR,212:e.ONE_MINUS_CONSTANT_COLOR,213:e.CONSTANT_ALPHA,214:e.ONE_MINUS_CONSTANT_ALPHA};function me(t,n,r,i,a,o,s,c,l,u){if(t===0)g===!0&&(ce(e.BLEND),g=!1);else if(g===!1&&(se(e.BLEND),g=!0),t!==5){if(t!==_||u!==E){if((v!==100||x!==100)&&(e.blendEquation(e.FUNC_ADD),v=100,x=100),u)switch(t){case 1:e.blendFuncSeparate(e.ONE,e.ONE_MINUS_SRC_ALPHA,e.ONE,e.ONE_MINUS_SRC_ALPHA);break;case 2:e.blendFunc(e.ONE,e.ONE);break;case 3:e.blendFuncSeparate(e.ZERO,e.ONE_MINUS_SRC_COLOR,e.ZERO,e.ONE);break;case 4:e.blendFuncSeparate(e.DST_COLOR,e.ONE_MINUS_SRC_ALPHA,e.ZERO,e.ONE);break;default:Y(`WebGLState: Invalid blending: `,t)}else switch(t){case 1:e.blendFuncSeparate(e.SRC_ALPHA,e.ONE_MINUS_SRC_ALPHA,e.ONE,e.ONE_MINUS_SRC_ALPHA);break;case 2:e.blendFuncSeparate(e.SRC_ALPHA,e.ONE,e.ONE,e.ONE);break;case 3:Y(`WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true`);break;case 4:Y(`WebGLState: MultiplyBlending requires material.premultipliedAlpha = true`);break;default:Y(`WebGLState: Invalid blending: `,t)}y=null,b=null,S=null,C=null,w.set(0,0,0),T=0,_=t,E=u}}else a||=n,o||=r,s||=i,(n!==v||a!==x)&&(e.blendEquationSeparate(fe[n],fe[a]),v=n,x=a),(r!==y||i!==b||o!==S||s!==C)&&(e.blendFuncSeparate(pe[r],pe[i],pe[o],pe[s]),y=r,b=i,S=o,C=s),(c.equals(w)===!1||l!==T)&&(e.blendColor(c.r,c.g,c.b,l),w.copy(c),T=l),_=t,E=!1}function he(t,n){t.side===2?ce(e.CULL_FACE):se(e.CULL_FACE);let r=t.side===1;n&&(r=!r),ge(r),t.blending===1&&t.transparent===!1?me(0):me(t.blending,t.blendEquation,t.blendSrc,t.blendDst,t.blendEquationAlpha,t.blendSrcAlpha,t.blendDstAlpha,t.blendColor,t.blendAlpha,t.premultipliedAlpha),o.setFunc(t.depthFunc),o.setTest(t.depthTest),o.setMask(t.depthWrite),a.setMask(t.colorWrite);let i=t.stencilWrite;s.setTest(i),i&&(s.setMask(t.stencilWriteMask),s.setFunc(t.stencilFunc,t.stencilRef,t.stencilFuncMask),s.setOp(t.stencilFail,t.stencilZFail,t.stencilZPass)),ye(t.polygonOffset,t.polygonOffsetFactor,t.polygonOffsetUnits),t.alphaToCoverage===!0?se(e.SAMPLE_ALPHA_TO_COVERAGE):ce(e.SAMPLE_ALPHA_TO_COVERAGE)}function ge(t){D!==t&&(t?e.frontFace(e.CW):e.frontFace(e.CCW),D=t)}function _e(t){t===0?ce(e.CULL_FACE):(se(e.CULL_FACE),t!==O&&(t===1?e.cullFace(e.BACK):t===2?e.cullFace(e.FRONT):e.cullFace(e.FRONT_AND_BACK))),O=t}function ve(t){t!==k&&(N&&e.lineWidth(t),k=t)}function ye(t,n,r){t?(se(e.POLYGON_OFFSET_FILL),(A!==n||j!==r)&&(A=n,j=r,o.getReversed()&&(n=-n,r=-r),e.polygonOffset(n,r))):ce(e.POLYGON_OFFSET_FILL)}function be(t){t?se(e.SCISSOR_TEST):ce(e.SCISSOR_TEST)}function xe(t){t===void 0&&(t=e.TEXTURE0+M-1),ne!==t&&(e.activeTexture(t),ne=t)}function L(t,n,r){r===void 0&&(r=ne===null?e.TEXTURE0+M-1:ne);let i=P[r];i===void 0&&(i={type:void 0,texture:void 0},P[r]=i),(i.type!==t||i.texture!==n)&&(ne!==r&&(e.activeTexture(r),ne=r),e.bindTexture(t,n||I[t]),i.type=t,i.texture=n)}function R(){let t=P[ne];t!==void 0&&t.type!==void 0&&(e.bindTexture(t.type,null),t.type=void 0,t.texture=void 0)}function z(){try{e.compressedTexImage2D(...arguments)}catch(e){Y(`WebGLState:`,e)}}function Se(){try{e.compressedTexImage3D(...arguments)}catch(e){Y(`WebGLState:`,e)}}function B(){try{e.texSubImage2D(...arguments)}catch(e){Y(`WebGLState:`,e)}}function Ce(){try{e.texSubImage3D(...arguments)}catch(e){Y(`WebGLState:`,e)}}function V(){try{e.compressedTexSubImage2D(...arguments)}catch(e){Y(`WebGLState:`,e)}}function H(){try{e.compressedTexSubImage3D(...arguments)}catch(e){Y(`WebGLState:`,e)}}function we(){try{e.texStorage2D(...arguments)}catch(e){Y(`WebGLState:`,e)}}function Te(){try{e.texStorage3D(...arguments)}catch(e){Y(`WebGLState:`,e)}}function U(){try{e.texImage2D(...arguments)}catch(e){Y(`WebGLState:`,e)}}function Ee(){try{e.texImage3D(...arguments)}catch(e){Y(`WebGLState:`,e)}}function De(t){return d[t]===void 0?e.getParameter(t):d[t]}function Oe(t,n){d[t]!==n&&(e.pixelStorei(t,n),d[t]=n)}function ke(t){ie.equals(t)===!1&&(e.scissor(t.x,t.y,t.z,t.w),ie.copy(t))}function Ae(t){ae.equals(t)===!1&&(e.viewport(t.x,t.y,t.z,t.w),ae.copy(t))}function je(t,n){let r=l.get(n);r===void 0&&(r=new WeakMap,l.set(n,r));let i=r.get(t);i===void 0&&(i=e.getUniformBlockIndex(n,t.name),e.uniformBlockBinding(n,i,i),r.set(t,i))}function Me(t,n,r){let i=l.get(n).get(t);c[i]!==r&&(e.bindBufferBase(e.UNIFORM_BUFFER,i,r),c[i]=r)}function Ne(){e.disable(e.BLEND),e.disable(e.CULL_FACE),e.disable(e.DEPTH_TEST),e.disable(e.POLYGON_OFFSET_FILL),e.disable(e.SCISSOR_TEST),e.disable(e.STENCIL_TEST),e.disable(e.SAMPLE_ALPHA_TO_COVERAGE),e.blendEquation(e.FUNC_ADD),e.blendFunc(e.ONE,e.ZERO),e.blendFuncSeparate(e.ONE,e.ZERO,e.ONE,e.ZERO),e.blendColor(0,0,0,0),e.colorMask(!0,!0,!0,!0),e.clearColor(0,0,0,0),e.depthMask(!0),e.depthFunc(e.LESS),o.setReversed(!1),e.clearDepth(1),e.stencilMask(4294967295),e.stencilFunc(e.ALWAYS,0,4294967295),e.stencilOp(e.KEEP,e.KEEP,e.KEEP),e.clearStencil(0),e.cullFace(e.BACK),e.frontFace(e.CCW),e.polygonOffset(0,0),e.activeTexture(e.TEXTURE0),e.bindFramebuffer(e.FRAMEBUFFER,null),e.bindFramebuffer(e.DRAW_FRAMEBUFFER,null),e.bindFramebuffer(e.READ_FRAMEBUFFER,null),e.useProgram(null),e.lineWidth(1),e.scissor(0,0,e.canvas.width,e.canvas.height),e.viewport(0,0,e.canvas.width,e.canvas.height),e.pixelStorei(e.PACK_ALIGNMENT,4),e.pixelStorei(e.UNPACK_ALIGNMENT,4),e.pixelStorei(e.UNPACK_FLIP_Y_WEBGL,!1),e.pixelStorei(e.UNPACK_PREMULTIPLY_ALPHA_WEBGL,!1),e.pixelStorei(e.UNPACK_COLORSPACE_CONVERSION_WEBGL,e.BROWSER_DEFAULT_WEBGL),e.pixelStorei(e.PACK_ROW_LENGTH,0),e.pixelStorei(e.PACK_SKIP_PIXELS,0),e.pixelStorei(e.PACK_SKIP_ROWS,0),e.pixelStorei(e.UNPACK_ROW_LENGTH,0),e.pixelStorei(e.UNPACK_IMAGE_HEIGHT,0),e.pixelStorei(e.UNPACK_SKIP_PIXELS,0),e.pixelStorei(e.UNPACK_SKIP_ROWS,0),e.pixelStorei(e.UNPACK_SKIP_IMAGES,0),u={},d={},ne=null,P={},f={},c={},p=new WeakMap,m=[],h=null,g=!1,_=null,v=null,y=null,b=null,x=null,S=null,C=null,w=new Q(0,0,0),T=0,E=!1,D=null,O=null,k=null,A=null,j=null,ie.set(0,0,e.canvas.width,e.canvas.height),ae.set(0,0,e.canvas.width,e.canvas.height),a.reset(),o.reset(),s.reset()}return{buffers:{color:a,depth:o,stencil:s},enable:se,disable:ce,bindFramebuffer:le,drawBuffers:ue,useProgram:de,setBlending:me,setMaterial:he,setFlipSided:ge,setCullFace:_e,setLineWidth:ve,setPolygonOffset:ye,setScissorTest:be,activeTexture:xe,bindTexture:L,unbindTexture:R,compressedTexImage2D:z,compressedTexImage3D:Se,texImage2D:U,texImage3D:Ee,pixelStorei:Oe,getParameter:De,updateUBOMapping:je,uniformBlockBinding:Me,texStorage2D:we,texStorage3D:Te,texSubImage2D:B,texSubImage3D:Ce,compressedTexSubImage2D:V,compressedTexSubImage3D:H,scissor:ke,viewport:Ae,reset:Ne}}function eb(e,t,n,r,i,a,o){let s=t.has(`WEBGL_multisampled_render_to_texture`)?t.get(`WEBGL_multisampled_render_to_texture`):null,c=typeof navigator>`u`?!1:/OculusBrowser/g.test(navigator.userAgent),l=new X,u=new WeakMap,d=new Set,f,p=new WeakMap,m=new Set,h=new FinalizationRegistry(e=>m.delete(e)),g=!1;try{g=typeof OffscreenCanvas<`u`&&new OffscreenCanvas(1,1).getContext(`2d`)!==null}catch{}function _(e,t){return g?new OffscreenCanvas(e,t):Cd(`canvas`)}function v(e,t,n){let r=1,i=we(e);if((i.width>n||i.height>n)&&(r=n/Math.max(i.width,i.height)),r<1){if(typeof HTMLImageElement<`u`&&e instanceof HTMLImageElement||typeof HTMLCanvasElement<`u`&&e instanceof HTMLCanvasElement||typeof ImageBitmap<`u`&&e instanceof ImageBitmap||typeof VideoFrame<`u`&&e instanceof VideoFrame){let n=Math.floor(r*i.width),a=Math.floor(r*i.height);f===void 0&&(f=_(n,a));let o=t?_(n,a):f;return o.width=n,o.height=a,o.getContext(`2d`).drawImage(e,0,0,n,a),J(`WebGLRenderer: Texture has been resized from (`+i.width+`x`+i.height+`) to (`+n+`x`+a+`).`),o}return`data`in e&&J(`WebGLRenderer: Image in DataTexture is too big (`+i.width+`x`+i.height+`).`),e}return e}function y(e){return e.generateMipmaps}function b(t){e.generateMipmap(t)}function x(t){return t.isWebGLCubeRenderTarget?e.TEXTURE_CUBE_MAP:t.isWebGL3DRenderTarget?e.TEXTURE_3D:t.isWebGLArrayRenderTarget||t.isCompressedArrayTexture?e.TEXTURE_2D_ARRAY:e.TEXTURE_2D}function S(n,r,i,a,o,s=!1){if(n!==null){if(e[n]!==void 0)return e[n];J(`WebGLRenderer: Attempt to use non-existing WebGL internal format '`+n+`'`)}let c;a&&(c=t.get(`EXT_texture_norm16`),c||J(`WebGLRenderer: Unable to use normalized textures without EXT_texture_norm16 extension`));let l=r;if(r===e.RED&&(i===e.FLOAT&&(l=e.R32F),i===e.HALF_FLOAT&&(l=e.R16F),i===e.UNSIGNED_BYTE&&(l=e.R8),i===e.UNSIGNED_SHORT&&c&&(l=c.R16_EXT),i===e.SHORT&&c&&(l=c.R16_SNORM_EXT)),r===e.RED_INTEGER&&(i===e.UNSIGNED_BYTE&&(l=e.R8UI),i===e.UNSIGNED_SHORT&&(l=e.R16UI),i===e.UNSIGNED_INT&&(l=e.R32UI),i===e.BYTE&&(l=e.R8I),i===e.SHORT&&(l=e.R16I),i===e.INT&&(l=e.R32I)),r===e.RG&&(i===e.FLOAT&&(l=e.RG32F),i===e.HALF_FLOAT&&(l=e.RG16F),i===e.UNSIGNED_BYTE&&(l=e.RG8),i===e.UNSIGNED_SHORT&&c&&(l=c.RG16_EXT),i===e.SHORT&&c&&(l=c.RG16_SNORM_EXT)),r===e.RG_INTEGER&&(i===e.UNSIGNED_BYTE&&(l=e.RG8UI),i===e.UNSIGNED_SHORT&&(l=e.RG16UI),i===e.UNSIGNED_INT&&(l=e.RG32UI),i===e.BYTE&&(l=e.RG8I),i===e.SHORT&&(l=e.RG16I),i===e.INT&&(l=e.RG32I)),r===e.RGB_INTEGER&&(i===e.UNSIGNED_BYTE&&(l=e.RGB8UI),i===e.UNSIGNED_SHORT&&(l=e.RGB16UI),i===e.UNSIGNED_INT&&(l=e.RGB32UI),i===e.BYTE&&(l=e.RGB8I),i===e.SHORT&&(l=e.RGB16I),i===e.INT&&(l=e.RGB32I)),r===e.RGBA_INTEGER&&(i===e.UNSIGNED_BYTE&&(l=e.RGBA8UI),i===e.UNSIGNED_SHORT&&(l=e.RGBA16UI),i===e.UNSIGNED_INT&&(l=e.RGBA32UI),i===e.BYTE&&(l=e.RGBA8I),i===e.SHORT&&(l=e.RGBA16I),i===e.INT&&(l=e.RGBA32I)),r===e.RGB&&(i===e.UNSIGNED_SHORT&&c&&(l=c.RGB16_EXT),i===e.SHORT&&c&&(l=c.RGB16_SNORM_EXT),i===e.UNSIGNED_INT_5_9_9_9_REV&&(l=e.RGB9_E5),i===e.UNSIGNED_INT_10F_11F_11F_REV&&(l=e.R11F_G11F_B10F)),r===e.RGBA){let t=s?gd:hf.getTransfer(o);i===e.FLOAT&&(l=e.RGBA32F),i===e.HALF_FLOAT&&(l=e.RGBA16F),i===e.UNSIGNED_BYTE&&(l=t===`srgb`?e.SRGB8_ALPHA8:e.RGBA8),i===e.UNSIGNED_SHORT&&c&&(l=c.RGBA16_EXT),i===e.SHORT&&c&&(l=c.RGBA16_SNORM_EXT),i===e.UNSIGNED_SHORT_4_4_4_4&&(l=e.RGBA4),i===e.UNSIGNED_SHORT_5_5_5_1&&(l=e.RGB5_A1)}return(l===e.R16F||l===e.R32F||l===e.RG16F||l===e.RG32F||l===e.RGBA16F||l===e.RGBA32F)&&t.get(`EXT_color_buffer_float`),l}function C(t,n){let r;return t?n===null||n===1014||n===1020?r=e.DEPTH24_STENCIL8:n===1015?r=e.DEPTH32F_STENCIL8:n===1012&&(r=e.DEPTH24_STENCIL8,J(`DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.`)):n===null||n===1014||n===1020?r=e.DEPTH_COMPONENT24:n===1015?r=e.DEPTH_COMPONENT32F:n===1012&&(r=e.DEPTH_COMPONENT16),r}function w(e,t){return y(e)===!0||e.isFramebufferTexture&&e.minFilter!==1003&&e.minFilter!==1006?Math.log2(Math.max(t.width,t.height))+1:e.mipmaps.length>0?e.mipmaps.length:e.isCompressedTexture&&Array.isArray(e.image)?t.mipmaps.length:1}function T(e){let t=new WeakRef(e);r.get(e).__ref=t,m.add(t),h.register(e,t,t)}function E(e){let t=r.get(e).__ref;t!==void 0&&(m.delete(t),h.unregister(t))}function D(e){k(e.target)}function O(e){A(e.target)}function k(e){e.removeEventListener(`dispose`,D),E(e),M(e),e.isVideoTexture&&u.delete(e),e.isHTMLTexture&&d.delete(e)}function A(e){e.removeEventListener(`dispose`,O),E(e),ee(e)}function j(){for(let e of m){let t=e.deref();t!==void 0&&(t.isRenderTarget===!0?A(t):k(t))}m.clear(),d.clear()}function M(e){let t=r.get(e);if(t.__webglInit===void 0)return;let n=e.source,i=p.get(n);if(i){let r=i[t.__cacheKey];r.usedTimes--,r.usedTimes===0&&N(e),Object.keys(i).length===0&&p.delete(n)}r.remove(e)}function N(t){let n=r.get(t);e.deleteTexture(n.__webglTexture);let i=t.source,a=p.get(i);delete a[n.__cacheKey],o.memory.textures--}function ee(t){let n=r.get(t);n.__depthDisposeCallback&&n.__depthDisposeCallback();let i=t.depthTexture;if(i&&i.renderTarget===t&&k(i),t.isWebGLCubeRenderTarget)for(let t=0;t<6;t++){if(Array.isArray(n.__webglFramebuffer[t]))for(let r=0;r<n.__webglFramebuffer[t].length;r++)e.deleteFramebuffer(n.__webglFramebuffer[t][r]);else e.deleteFramebuffer(n.__webglFramebuffer[t]);n.__webglDepthbuffer&&e.deleteRenderbuffer(n.__webglDepthbuffer[t])}else{if(Array.isArray(n.__webglFramebuffer))for(let t=0;t<n.__webglFramebuffer.length;t++)e.deleteFramebuffer(n.__webglFramebuffer[t]);else e.deleteFramebuffer(n.__webglFramebuffer);if(n.__webglDepthbuffer&&e.deleteRenderbuffer(n.__webglDepthbuffer),n.__webglMultisampledFramebuffer&&e.deleteFramebuffer(n.__webglMultisampledFramebuffer),n.__webglColorRenderbuffer)for(let t=0;t<n.__webglColorRenderbuffer.length;t++)n.__webglColorRenderbuffer[t]&&e.deleteRenderbuffer(n.__webglColorRenderbuffer[t]);n.__webglDepthRenderbuffer&&e.deleteRenderbuffer(n.__webglDepthRenderbuffer)}let a=t.textures;for(let t=0,n=a.length;t<n;t++){let n=r.get(a[t]);n.__webglTexture&&(e.deleteTexture(n.__webglTexture),o.memory.textures--),r.remove(a[t])}r.remove(t)}let te=0;function ne(){te=0}function P(){return te}function re(e){te=e}function F(){let e=te;return e>=i.maxTextures&&J(`WebGLTextures: Trying to use `+(e+1)+` texture units while this GPU supports only `+i.maxTextures),te+=1,e}function ie(e){let t=[];return t.push(e.wrapS),t.push(e.wrapT),t.push(e.wrapR||0),t.push(e.magFilter),t.push(e.minFilter),t.push(e.anisotropy),t.push(e.internalFormat),t.push(e.format),t.push(e.type),t.push(e.generateMipmaps),t.push(e.mipmapsAutoUpdate),t.push(e.premultiplyAlpha),t.push(e.flipY),t.push(e.unpackAlignment),t.push(e.colorSpace),t.join()}function ae(t,i){let a=r.get(t);if(t.isVideoTexture&&V(t),t.isRenderTargetTexture===!1&&t.isExternalTexture!==!0&&t.version>0&&a.__version!==t.version){let e=t.image;if(e===null)J(`WebGLRenderer: Texture marked for update but no image data found.`);else if(e.complete===!1)J(`WebGLRenderer: Texture marked for update but image is incomplete`);else{he(a,t,i);return}}else t.isExternalTexture&&(a.__webglTexture=t.sourceTexture?t.sourceTexture:null);n.bindTexture(e.TEXTURE_2D,a.__webglTexture,e.TEXTURE0+i)}function oe(t,i){let a=r.get(t);t.isRenderTargetTexture===!1&&t.version>0&&a.__version!==t.version?he(a,t,i):(t.isExternalTexture&&(a.__webglTexture=t.sourceTexture?t.sourceTexture:null),n.bindTexture(e.TEXTURE_2D_ARRAY,a.__webglTexture,e.TEXTURE0+i))}function I(t,i){let a=r.get(t);t.isRenderTargetTexture===!1&&t.version>0&&a.__version!==t.version?he(a,t,i):n.bindTexture(e.TEXTURE_3D,a.__webglTexture,e.TEXTURE0+i)}function se(t,i){let a=r.get(t);t.version>0&&a.__version!==t.version?ge(a,t,i):n.bindTexture(e.TEXTURE_CUBE_MAP,a.__webglTexture,e.TEXTURE0+i)}let ce={[Kl]:e.REPEAT,[ql]:e.CLAMP_TO_EDGE,[Jl]:e.MIRRORED_REPEAT},le={[Yl]:e.NEAREST,[Xl]:e.NEAREST_MIPMAP_NEAREST,[Zl]:e.NEAREST_MIPMAP_LINEAR,[Ql]:e.LINEAR,[$l]:e.LINEAR_MIPMAP_NEAREST,[eu]:e.LINEAR_MIPMAP_LINEAR},ue={512:e.NEVER,519:e.ALWAYS,513:e.LESS,515:e.LEQUAL,514:e.EQUAL,518:e.GEQUAL,516:e.GREATER,517:e.NOTEQUAL};function de(n,a){if(a.type===1015&&t.has(`OES_texture_float_linear`)===!1&&(a.magFilter===1006||a.magFilter===1007||a.magFilter===1005||a.magFilter===1008||a.minFilter===1006||a.minFilter===1007||a.minFilter===1005||a.minFilter===1008)&&J(`WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device.`),e.texParameteri(n,e.TEXTURE_WRAP_S,ce[a.wrapS]),e.texParameteri(n,e.TEXTURE_WRAP_T,ce[a.wrapT]),(n===e.TEXTURE_3D||n===e.TEXTURE_2D_ARRAY)&&e.texParameteri(n,e.TEXTURE_WRAP_R,ce[a.wrapR]),e.texParameteri(n,e.TEXTURE_MAG_FILTER,le[a.magFilter]),e.texParameteri(n,e.TEXTURE_MIN_FILTER,le[a.minFilter]),a.compareFunction&&(e.texParameteri(n,e.TEXTURE_COMPARE_MODE,e.COMPARE_REF_TO_TEXTURE),e.texParameteri(n,e.TEXTURE_COMPARE_FUNC,ue[a.compareFunction])),t.has(`EXT_texture_filter_anisotropic`)===!0){if(a.magFilter===1003||a.minFilter!==1005&&a.minFilter!==1008||a.type===1015&&t.has(`OES_texture_float_linear`)===!1)return;if(a.anisotropy>1||r.get(a).__currentAnisotropy){let o=t.get(`EXT_texture_filter_anisotropic`);e.texParameterf(n,o.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(a.anisotropy,i.getMaxAnisotropy())),r.get(a).__currentAnisotropy=a.anisotropy}}}function fe(t,n){let r=!1;t.__webglInit===void 0&&(t.__webglInit=!0,n.addEventListener(`dispose`,D),T(n));let i=n.source,a=p.get(i);a===void 0&&(a={},p.set(i,a));let s=ie(n);if(s!==t.__cacheKey){a[s]===void 0&&(a[s]={texture:e.createTexture(),usedTimes:0},o.memory.textures++,r=!0),a[s].usedTimes++;let i=a[t.__cacheKey];i!==void 0&&(a[t.__cacheKey].usedTimes--,i.usedTimes===0&&N(n)),t.__cacheKey=s,t.__webglTexture=a[s].texture}return r}function pe(e,t,n){return Math.floor(Math.floor(e/n)/t)}function me(t,r,i,a){let o=t.updateRanges;if(o.length===0)n.texSubImage2D(e.TEXTURE_2D,0,0,0,r.width,r.height,i,a,r.data);else{o.sort((e,t)=>e.start-t.start);let s=0;for(let e=1;e<o.length;e++){let t=o[s],n=o[e],i=t.start+t.count,a=pe(n.start,r.width,4),c=pe(t.start,r.width,4);n.start<=i+1&&a===c&&pe(n.start+n.count-1,r.width,4)===a?t.count=Math.max(t.count,n.start+n.count-t.start):(++s,o[s]=n)}o.length=s+1;let c=n.getParameter(e.UNPACK_ROW_LENGTH),l=n.getParameter(e.UNPACK_SKIP_PIXELS),u=n.getParameter(e.UNPACK_SKIP_ROWS);n.pixelStorei(e.UNPACK_ROW_LENGTH,r.width);for(let t=0,s=o.length;t<s;t++){let s=o[t],c=Math.floor(s.start/4),l=Math.ceil(s.count/4),u=c%r.width,d=Math.floor(c/r.width),f=l;n.pixelStorei(e.UNPACK_SKIP_PIXELS,u),n.pixelStorei(e.UNPACK_SKIP_ROWS,d),n.texSubImage2D(e.TEXTURE_2D,0,u,d,f,1,i,a,r.data)}t.clearUpdateRanges(),n.pixelStorei(e.UNPACK_ROW_LENGTH,c),n.pixelStorei(e.UNPACK_SKIP_PIXELS,l),n.pixelStorei(e.UNPACK_SKIP_ROWS,u)}}function he(t,o,s){let c=e.TEXTURE_2D;(o.isDataArrayTexture||o.isCompressedArrayTexture)&&(c=e.TEXTURE_2D_ARRAY),o.isData3DTexture&&(c=e.TEXTURE_3D);let l=fe(t,o),u=o.source;n.bindTexture(c,t.__webglTexture,e.TEXTURE0+s);let f=r.get(u);if(u.version!==f.__version||l===!0){if(n.activeTexture(e.TEXTURE0+s),!(typeof ImageBitmap<`u`&&o.image instanceof ImageBitmap)){let t=hf.getPrimaries(hf.workingColorSpace),r=o.colorSpace===``?null:hf.getPrimaries(o.colorSpace),i=o.colorSpace===``||t===r?e.NONE:e.BROWSER_DEFAULT_WEBGL;n.pixelStorei(e.UNPACK_FLIP_Y_WEBGL,o.flipY),n.pixelStorei(e.UNPACK_PREMULTIPLY_ALPHA_WEBGL,o.premultiplyAlpha),n.pixelStorei(e.UNPACK_COLORSPACE_CONVERSION_WEBGL,i)}n.pixelStorei(e.UNPACK_ALIGNMENT,o.unpackAlignment);let t=v(o.image,!1,i.maxTextureSize);t=H(o,t);let r=a.convert(o.format,o.colorSpace),p=a.convert(o.type),m=S(o.internalFormat,r,p,o.normalized,o.colorSpace,o.isVideoTexture);de(c,o);let h,g=o.mipmaps,_=o.isVideoTexture!==!0,x=f.__version===void 0||l===!0,T=u.dataReady,E=w(o,t);if(o.isDepthTexture)m=C(o.format===vu,o.type),x&&(_?n.texStorage2D(e.TEXTURE_2D,1,m,t.width,t.height):n.texImage2D(e.TEXTURE_2D,0,m,t.width,t.height,0,r,p,null));else if(o.isDataTexture){if(g.length>0){_&&x&&n.texStorage2D(e.TEXTURE_2D,E,m,g[0].width,g[0].height);for(let t=0,i=g.length;t<i;t++)h=g[t],_?T&&n.texSubImage2D(e.TEXTURE_2D,t,0,0,h.width,h.height,r,p,h.data):n.texImage2D(e.TEXTURE_2D,t,m,h.width,h.height,0,r,p,h.data);o.generateMipmaps=!1}else _?(x&&n.texStorage2D(e.TEXTURE_2D,E,m,t.width,t.height),T&&me(o,t,r,p)):n.texImage2D(e.TEXTURE_2D,0,m,t.width,t.height,0,r,p,t.data)}else if(o.isCompressedTexture){if(o.isCompressedArrayTexture){_&&x&&n.texStorage3D(e.TEXTURE_2D_ARRAY,E,m,g[0].width,g[0].height,t.depth);for(let i=0,a=g.length;i<a;i++)if(h=g[i],o.format!==1023){if(r!==null){if(_){if(T){if(o.layerUpdates.size>0){let t=t_(h.width,h.height,o.format,o.type);for(let a of o.layerUpdates){let o=h.data.subarray(a*t/h.data.BYTES_PER_ELEMENT,(a+1)*t/h.data.BYTES_PER_ELEMENT);n.compressedTexSubImage3D(e.TEXTURE_2D_ARRAY,i,0,0,a,h.width,h.height,1,r,o)}}else n.compressedTexSubImage3D(e.TEXTURE_2D_ARRAY,i,0,0,0,h.width,h.height,t.depth,r,h.data)}}else n.compressedTexImage3D(e.TEXTURE_2D_ARRAY,i,m,h.width,h.height,t.depth,0,h.data,0,0)}else J(`WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()`)}else _?T&&n.texSubImage3D(e.TEXTURE_2D_ARRAY,i,0,0,0,h.width,h.height,t.depth,r,p,h.data):n.texImage3D(e.TEXTURE_2D_ARRAY,i,m,h.width,h.height,t.depth,0,r,p,h.data);o.layerUpdates.size>0&&o.clearLayerUpdates()}else{_&&x&&n.texStorage2D(e.TEXTURE_2D,E,m,g[0].width,g[0].height);for(let t=0,i=g.length;t<i;t++)h=g[t],o.format===1023?_?T&&n.texSubImage2D(e.TEXTURE_2D,t,0,0,h.width,h.height,r,p,h.data):n.texImage2D(e.TEXTURE_2D,t,m,h.width,h.height,0,r,p,h.data):r===null?J(`WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()`):_?T&&n.compressedTexSubImage2D(e.TEXTURE_2D,t,0,0,h.width,h.height,r,h.data):n.compressedTexImage2D(e.TEXTURE_2D,t,m,h.width,h.height,0,h.data)}}else if(o.isDataArrayTexture){if(_){if(x&&n.texStorage3D(e.TEXTURE_2D_ARRAY,E,m,t.width,t.height,t.depth),T){if(o.layerUpdates.size>0){let i=t_(t.width,t.height,o.format,o.type);for(let a of o.layerUpdates){let o=t.data.subarray(a*i/t.data.BYTES_PER_ELEMENT,(a+1)*i/t.data.BYTES_PER_ELEMENT);n.texSubImage3D(e.TEXTURE_2D_ARRAY,0,0,0,a,t.width,t.height,1,r,p,o)}o.clearLayerUpdates()}else n.texSubImage3D(e.TEXTURE_2D_ARRAY,0,0,0,0,t.width,t.height,t.depth,r,p,t.data)}}else n.texImage3D(e.TEXTURE_2D_ARRAY,0,m,t.width,t.height,t.depth,0,r,p,t.data)}else if(o.isData3DTexture)_?(x&&n.texStorage3D(e.TEXTURE_3D,E,m,t.width,t.height,t.depth),T&&n.texSubImage3D(e.TEXTURE_3D,0,0,0,0,t.width,t.height,t.depth,r,p,t.data)):n.texImage3D(e.TEXTURE_3D,0,m,t.width,t.height,t.depth,0,r,p,t.data);else if(o.isFramebufferTexture){if(x){if(_)n.texStorage2D(e.TEXTURE_2D,E,m,t.width,t.height);else{let i=t.width,a=t.height;for(let t=0;t<E;t++)n.texImage2D(e.TEXTURE_2D,t,m,i,a,0,r,p,null),i>>=1,a>>=1}}}else if(o.isHTMLTexture){if(`texElementImage2D`in e){let n=e.canvas;if(n.hasAttribute(`layoutsubtree`)||n.setAttribute(`layoutsubtree`,`true`),t.parentNode!==n){n.appendChild(t),d.add(o),n.onpaint=e=>{let t=e.changedElements;for(let e of d)t.includes(e.image)&&(e.needsUpdate=!0)},n.requestPaint();return}if(e.texElementImage2D.length===3)e.texElementImage2D(e.TEXTURE_2D,e.RGBA8,t);else{let n=e.RGBA,r=e.RGBA,i=e.UNSIGNED_BYTE;e.texElementImage2D(e.TEXTURE_2D,0,n,r,i,t)}e.texParameteri(e.TEXTURE_2D,e.TEXTURE_MIN_FILTER,e.LINEAR),e.texParameteri(e.TEXTURE_2D,e.TEXTURE_WRAP_S,e.CLAMP_TO_EDGE),e.texParameteri(e.TEXTURE_2D,e.TEXTURE_WRAP_T,e.CLAMP_TO_EDGE)}}else if(g.length>0){if(_&&x){let t=we(g[0]);n.texStorage2D(e.TEXTURE_2D,E,m,t.width,t.height)}for(let t=0,i=g.length;t<i;t++)h=g[t],_?T&&n.texSubImage2D(e.TEXTURE_2D,t,0,0,r,p,h):n.texImage2D(e.TEXTURE_2D,t,m,r,p,h);o.generateMipmaps=!1}else if(_){if(x){let r=we(t);n.texStorage2D(e.TEXTURE_2D,E,m,r.width,r.height)}T&&n.texSubImage2D(e.TEXTURE_2D,0,0,0,r,p,t)}else n.texImage2D(e.TEXTURE_2D,0,m,r,p,t);y(o)&&o.mipmapsAutoUpdate===!0&&b(c),f.__version=u.version,o.onUpdate&&o.onUpdate(o)}t.__version=o.version}function ge(t,o,s){if(o.image.length!==6)return;let c=fe(t,o),l=o.source;n.bindTexture(e.TEXTURE_CUBE_MAP,t.__webglTexture,e.TEXTURE0+s);let u=r.get(l);if(l.version!==u.__version||c===!0){n.activeTexture(e.TEXTURE0+s);let t=hf.getPrimaries(hf.workingColorSpace),r=o.colorSpace===``?null:hf.getPrimaries(o.colorSpace),d=o.colorSpace===``||t===r?e.NONE:e.BROWSER_DEFAULT_WEBGL;n.pixelStorei(e.UNPACK_FLIP_Y_WEBGL,o.flipY),n.pixelStorei(e.UNPACK_PREMULTIPLY_ALPHA_WEBGL,o.premultiplyAlpha),n.pixelStorei(e.UNPACK_ALIGNMENT,o.unpackAlignment),n.pixelStorei(e.UNPACK_COLORSPACE_CONVERSION_WEBGL,d);let f=o.isCompressedTexture||o.image[0].isCompressedTexture,p=o.image[0]&&o.image[0].isDataTexture,m=[];for(let e=0;e<6;e++)!f&&!p?m[e]=v(o.image[e],!0,i.maxCubemapSize):m[e]=p?o.image[e].image:o.image[e],m[e]=H(o,m[e]);let h=m[0],g=a.convert(o.format,o.colorSpace),_=a.convert(o.type),x=S(o.internalFormat,g,_,o.normalized,o.colorSpace),T=o.isVideoTexture!==!0,E=u.__version===void 0||c===!0,D=l.dataReady,O=w(o,h);de(e.TEXTURE_CUBE_MAP,o);let k;if(o.isDepthTexture){if(x=C(o.format===vu,o.type),E){if(T)n.texStorage2D(e.TEXTURE_CUBE_MAP,1,x,h.width,h.height);else for(let t=0;t<6;t++)n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,x,h.width,h.height,0,g,_,null)}}else if(f){T&&E&&n.texStorage2D(e.TEXTURE_CUBE_MAP,O,x,h.width,h.height);for(let t=0;t<6;t++){k=m[t].mipmaps;for(let r=0;r<k.length;r++){let i=k[r];o.format===1023?T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r,0,0,i.width,i.height,g,_,i.data):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r,x,i.width,i.height,0,g,_,i.data):g===null?J(`WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()`):T?D&&n.compressedTexSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r,0,0,i.width,i.height,g,i.data):n.compressedTexImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r,x,i.width,i.height,0,i.data)}}}else{if(k=o.mipmaps,T&&E){k.length>0&&O++;let t=we(m[0]);n.texStorage2D(e.TEXTURE_CUBE_MAP,O,x,t.width,t.height)}for(let t=0;t<6;t++)if(p){T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,0,0,m[t].width,m[t].height,g,_,m[t].data):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,x,m[t].width,m[t].height,0,g,_,m[t].data);for(let r=0;r<k.length;r++){let i=k[r].image[t].image;T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r+1,0,0,i.width,i.height,g,_,i.data):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r+1,x,i.width,i.height,0,g,_,i.data)}}else{T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,0,0,g,_,m[t]):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,x,g,_,m[t]);for(let r=0;r<k.length;r++){let i=k[r];T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r+1,0,0,g,_,i.image[t]):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r+1,x,g,_,i.image[t])}}}y(o)&&o.mipmapsAutoUpdate===!0&&b(e.TEXTURE_CUBE_MAP),u.__version=l.version,o.onUpdate&&o.onUpdate(o)}t.__version=o.version}function _e(t,i,o,c,l,u){let d=a.convert(o.format,o.colorSpace),f=a.convert(o.type),p=S(o.internalFormat,d,f,o.normalized,o.colorSpace),m=r.get(i),h=r.get(o);if(h.__renderTarget=i,!m.__hasExternalTextures){let t=Math.max(1,i.width>>u),r=Math.max(1,i.height>>u);l===e.TEXTURE_3D||l===e.TEXTURE_2D_ARRAY?n.texImage3D(l,u,p,t,r,i.depth,0,d,f,null):n.texImage2D(l,u,p,t,r,0,d,f,null)}n.bindFramebuffer(e.FRAMEBUFFER,t),Ce(i)?s.framebufferTexture2DMultisampleEXT(e.FRAMEBUFFER,c,l,h.__webglTexture,0,B(i)):(l===e.TEXTURE_2D||l>=e.TEXTURE_CUBE_MAP_POSITIVE_X&&l<=e.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&e.framebufferTexture2D(e.FRAMEBUFFER,c,l,h.__webglTexture,u),n.bindFramebuffer(e.FRAMEBUFFER,null)}function ve(t,n,r){if(e.bindRenderbuffer(e.RENDERBUFFER,t),n.depthBuffer){let i=n.depthTexture,a=i&&i.isDepthTexture?i.type:null,o=C(n.stencilBuffer,a),c=n.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT;Ce(n)?s.renderbufferStorageMultisampleEXT(e.RENDERBUFFER,B(n),o,n.width,n.height):r?e.renderbufferStorageMultisample(e.RENDERBUFFER,B(n),o,n.width,n.height):e.renderbufferStorage(e.RENDERBUFFER,o,n.width,n.height),e.framebufferRenderbuffer(e.FRAMEBUFFER,c,e.RENDERBUFFER,t)}else{let t=n.textures;for(let i=0;i<t.length;i++){let o=t[i],c=a.convert(o.format,o.colorSpace),l=a.convert(o.type),u=S(o.internalFormat,c,l,o.normalized,o.colorSpace);Ce(n)?s.renderbufferStorageMultisampleEXT(e.RENDERBUFFER,B(n),u,n.width,n.height):r?e.renderbufferStorageMultisample(e.RENDERBUFFER,B(n),u,n.width,n.height):e.renderbufferStorage(e.RENDERBUFFER,u,n.width,n.height)}}e.bindRenderbuffer(e.RENDERBUFFER,null)}function ye(t,i,a){let o=i.isWebGLCubeRenderTarget===!0;if(n.bindFramebuffer(e.FRAMEBUFFER,t),!(i.depthTexture&&i.depthTexture.isDepthTexture))throw Error(`THREE.WebGLTextures: renderTarget.depthTexture must be an instance of THREE.DepthTexture.`);let c=r.get(i.depthTexture);c.__renderTarget=i;let l=o?i.depthTexture.image[0]:i.depthTexture.image;(!c.__webglTexture||l.width!==i.width||l.height!==i.height)&&(l.width=i.width,l.height=i.height,i.depthTexture.needsUpdate=!0),o?se(i.depthTexture,0):ae(i.depthTexture,0);let u=c.__webglTexture,d=B(i),f=o?e.TEXTURE_CUBE_MAP_POSITIVE_X+a:e.TEXTURE_2D,p=i.depthTexture.format===1027?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT;if(i.depthTexture.format===1026)Ce(i)?s.framebufferTexture2DMultisampleEXT(e.FRAMEBUFFER,p,f,u,0,d):e.framebufferTexture2D(e.FRAMEBUFFER,p,f,u,0);else if(i.depthTexture.format===1027)Ce(i)?s.framebufferTexture2DMultisampleEXT(e.FRAMEBUFFER,p,f,u,0,d):e.framebufferTexture2D(e.FRAMEBUFFER,p,f,u,0);else throw Error(`THREE.WebGLTextures: Unknown depthTexture format.`)}function be(t){let i=r.get(t),a=t.isWebGLCubeRenderTarget===!0;if(i.__boundDepthTexture!==t.depthTexture){let e=t.depthTexture;if(i.__depthDisposeCallback&&i.__depthDisposeCallback(),e){let t=()=>{delete i.__boundDepthTexture,delete i.__depthDisposeCallback,e.removeEventListener(`dispose`,t)};e.addEventListener(`dispose`,t),i.__depthDisposeCallback=t}i.__boundDepthTexture=e}if(t.depthTexture&&!i.__autoAllocateDepthBuffer){if(a)for(let e=0;e<6;e++)ye(i.__webglFramebuffer[e],t,e);else t.texture.mipmaps.length>0?ye(i.__webglFramebuffer[0],t,0):ye(i.__webglFramebuffer,t,0)}else if(a){i.__webglDepthbuffer=[];for(let r=0;r<6;r++)if(n.bindFramebuffer(e.FRAMEBUFFER,i.__webglFramebuffer[r]),i.__webglDepthbuffer[r]===void 0)i.__webglDepthbuffer[r]=e.createRenderbuffer(),ve(i.__webglDepthbuffer[r],t,!1);else{let n=t.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT,a=i.__webglDepthbuffer[r];e.bindRenderbuffer(e.RENDERBUFFER,a),e.framebufferRenderbuffer(e.FRAMEBUFFER,n,e.RENDERBUFFER,a)}}else if(t.texture.mipmaps.length>0?n.bindFramebuffer(e.FRAMEBUFFER,i.__webglFramebuffer[0]):n.bindFramebuffer(e.FRAMEBUFFER,i.__webglFramebuffer),i.__webglDepthbuffer===void 0)i.__webglDepthbuffer=e.createRenderbuffer(),ve(i.__webglDepthbuffer,t,!1);else{let n=t.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT,r=i.__webglDepthbuffer;e.bindRenderbuffer(e.RENDERBUFFER,r),e.framebufferRenderbuffer(e.FRAMEBUFFER,n,e.RENDERBUFFER,r)}n.bindFramebuffer(e.FRAMEBUFFER,null)}function xe(t,n,i){let a=r.get(t);n!==void 0&&_e(a.__webglFramebuffer,t,t.texture,e.COLOR_ATTACHMENT0,e.TEXTURE_2D,0),i!==void 0&&be(t)}function L(t){let i=t.texture,s=r.get(t),c=r.get(i);t.addEventListener(`dispose`,O),T(t);let l=t.textures,u=t.isWebGLCubeRenderTarget===!0,d=l.length>1;if(d||(c.__webglTexture===void 0&&(c.__webglTexture=e.createTexture()),c.__version=i.version,o.memory.textures++),u){s.__webglFramebuffer=[];for(let t=0;t<6;t++)if(i.mipmaps.length>0){s.__webglFramebuffer[t]=[];for(let n=0;n<i.mipmaps.length;n++)s.__webglFramebuffer[t][n]=e.createFramebuffer()}else s.__webglFramebuffer[t]=e.createFramebuffer()}else{if(i.mipmaps.length>0){s.__webglFramebuffer=[];for(let t=0;t<i.mipmaps.length;t++)s.__webglFramebuffer[t]=e.createFramebuffer()}else s.__webglFramebuffer=e.createFramebuffer();if(d)for(let t=0,n=l.length;t<n;t++){let n=r.get(l[t]);n.__webglTexture===void 0&&(n.__webglTexture=e.createTexture(),o.memory.textures++)}if(t.samples>0&&Ce(t)===!1){s.__webglMultisampledFramebuffer=e.createFramebuffer(),s.__webglColorRenderbuffer=[],n.bindFramebuffer(e.FRAMEBUFFER,s.__webglMultisampledFramebuffer);for(let n=0;n<l.length;n++){let r=l[n];s.__webglColorRenderbuffer[n]=e.createRenderbuffer(),e.bindRenderbuffer(e.RENDERBUFFER,s.__webglColorRenderbuffer[n]);let i=a.convert(r.format,r.colorSpace),o=a.convert(r.type),c=S(r.internalFormat,i,o,r.normalized,r.colorSpace,t.isXRRenderTarget===!0),u=B(t);e.renderbufferStorageMultisample(e.RENDERBUFFER,u,c,t.width,t.height),e.framebufferRenderbuffer(e.FRAMEBUFFER,e.COLOR_ATTACHMENT0+n,e.RENDERBUFFER,s.__webglColorRenderbuffer[n])}e.bindRenderbuffer(e.RENDERBUFFER,null),t.depthBuffer&&(s.__webglDepthRenderbuffer=e.createRenderbuffer(),ve(s.__webglDepthRenderbuffer,t,!0)),n.bindFramebuffer(e.FRAMEBUFFER,null)}}if(u){n.bindTexture(e.TEXTURE_CUBE_MAP,c.__webglTexture),de(e.TEXTURE_CUBE_MAP,i);for(let n=0;n<6;n++)if(i.mipmaps.length>0)for(let r=0;r<i.mipmaps.length;r++)_e(s.__webglFramebuffer[n][r],t,i,e.COLOR_ATTACHMENT0,e.TEXTURE_CUBE_MAP_POSITIVE_X+n,r);else _e(s.__webglFramebuffer[n],t,i,e.COLOR_ATTACHMENT0,e.TEXTURE_CUBE_MAP_POSITIVE_X+n,0);y(i)?b(e.TEXTURE_CUBE_MAP):i.mipmaps.length>0&&e.texParameteri(e.TEXTURE_CUBE_MAP,e.TEXTURE_MAX_LEVEL,i.mipmaps.length-1),n.unbindTexture()}else if(d){for(let i=0,a=l.length;i<a;i++){let a=l[i],o=r.get(a),c=e.TEXTURE_2D;(t.isWebGL3DRenderTarget||t.isWebGLArrayRenderTarget)&&(c=t.isWebGL3DRenderTarget?e.TEXTURE_3D:e.TEXTURE_2D_ARRAY),n.bindTexture(c,o.__webglTexture),de(c,a),_e(s.__webglFramebuffer,t,a,e.COLOR_ATTACHMENT0+i,c,0),y(a)&&b(c)}n.unbindTexture()}else{let r=e.TEXTURE_2D;if((t.isWebGL3DRenderTarget||t.isWebGLArrayRenderTarget)&&(r=t.isWebGL3DRenderTarget?e.TEXTURE_3D:e.TEXTURE_2D_ARRAY),n.bindTexture(r,c.__webglTexture),de(r,i),i.mipmaps.length>0)for(let n=0;n<i.mipmaps.length;n++)_e(s.__webglFramebuffer[n],t,i,e.COLOR_ATTACHMENT0,r,n);else _e(s.__webglFramebuffer,t,i,e.COLOR_ATTACHMENT0,r,0);y(i)?b(r):i.mipmaps.length>0&&e.texParameteri(r,e.TEXTURE_MAX_LEVEL,i.mipmaps.length-1),n.unbindTexture()}t.depthBuffer&&be(t)}function R(e){let t=e.textures;for(let i=0,a=t.length;i<a;i++){let a=t[i];if(y(a)&&a.mipmapsAutoUpdate===!0){let t=x(e),i=r.get(a).__webglTexture;n.bindTexture(t,i),b(t),n.unbindTexture()}}}let z=[];function Se(t){if(t.samples>0){if(Ce(t)===!1){let i=t.textures,a=t.width,o=t.height,s=e.COLOR_BUFFER_BIT,l=t.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT,u=r.get(t),d=i.length>1;if(d)for(let t=0;t<i.length;t++)n.bindFramebuffer(e.FRAMEBUFFER,u.__webglMultisampledFramebuffer),e.framebufferRenderbuffer(e.FRAMEBUFFER,e.COLOR_ATTACHMENT0+t,e.RENDERBUFFER,null),n.bindFramebuffer(e.FRAMEBUFFER,u.__webglFramebuffer),e.framebufferTexture2D(e.DRAW_FRAMEBUFFER,e.COLOR_ATTACHMENT0+t,e.TEXTURE_2D,null,0);n.bindFramebuffer(e.READ_FRAMEBUFFER,u.__webglMultisampledFramebuffer),t.texture.mipmaps.length>0?n.bindFramebuffer(e.DRAW_FRAMEBUFFER,u.__webglFramebuffer[0]):n.bindFramebuffer(e.DRAW_FRAMEBUFFER,u.__webglFramebuffer);for(let n=0;n<i.length;n++){if(t.resolveDepthBuffer&&(t.depthBuffer&&(s|=e.DEPTH_BUFFER_BIT),t.stencilBuffer&&t.resolveStencilBuffer&&(s|=e.STENCIL_BUFFER_BIT)),d){e.framebufferRenderbuffer(e.READ_FRAMEBUFFER,e.COLOR_ATTACHMENT0,e.RENDERBUFFER,u.__webglColorRenderbuffer[n]);let t=r.get(i[n]).__webglTexture;e.framebufferTexture2D(e.DRAW_FRAMEBUFFER,e.COLOR_ATTACHMENT0,e.TEXTURE_2D,t,0)}e.blitFramebuffer(0,0,a,o,0,0,a,o,s,e.NEAREST),c===!0&&(z.length=0,z.push(e.COLOR_ATTACHMENT0+n),t.depthBuffer&&t.storeMultisampledDepthBuffer===!1&&z.push(l),e.invalidateFramebuffer(e.READ_FRAMEBUFFER,z))}if(n.bindFramebuffer(e.READ_FRAMEBUFFER,null),n.bindFramebuffer(e.DRAW_FRAMEBUFFER,null),d)for(let t=0;t<i.length;t++){n.bindFramebuffer(e.FRAMEBUFFER,u.__webglMultisampledFramebuffer),e.framebufferRenderbuffer(e.FRAMEBUFFER,e.COLOR_ATTACHMENT0+t,e.RENDERBUFFER,u.__webglColorRenderbuffer[t]);let a=r.get(i[t]).__webglTexture;n.bindFramebuffer(e.FRAMEBUFFER,u.__webglFramebuffer),e.framebufferTexture2D(e.DRAW_FRAMEBUFFER,e.COLOR_ATTACHMENT0+t,e.TEXTURE_2D,a,0)}n.bindFramebuffer(e.DRAW_FRAMEBUFFER,u.__webglMultisampledFramebuffer)}else if(t.depthBuffer&&t.storeMultisampledDepthBuffer===!1&&c){let n=t.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT;e.invalidateFramebuffer(e.DRAW_FRAMEBUFFER,[n])}}}function B(e){return Math.min(i.maxSamples,e.samples)}function Ce(e){let n=r.get(e);return e.samples>0&&t.has(`WEBGL_multisampled_render_to_texture`)===!0&&n.__useRenderToTexture!==!1}function V(e){let t=o.render.frame;u.get(e)!==t&&(u.set(e,t),e.update())}function H(e,t){let n=e.colorSpace,r=e.format,i=e.type;return e.isCompressedTexture===!0||e.isVideoTexture===!0||n!==`srgb-linear`&&n!==``&&(hf.getTransfer(n)===`srgb`?(r!==1023||i!==1009)&&J(`WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType.`):Y(`WebGLTextures: Unsupported texture color space:`,n)),t}function we(e){return typeof HTMLImageElement<`u`&&e instanceof HTMLImageElement?(l.width=e.naturalWidth||e.width,l.height=e.naturalHeight||e.height):typeof VideoFrame<`u`&&e instanceof VideoFrame?(l.width=e.displayWidth,l.height=e.displayHeight):(l.width=e.width,l.height=e.height),l}this.allocateTextureUnit=F,this.resetTextureUnits=ne,this.getTextureUnits=P,this.setTextureUnits=re,this.setTexture2D=ae,this.setTexture2DArray=oe,this.setTexture3D=I,this.setTextureCube=se,this.rebindTextures=xe,this.setupRenderTarget=L,this.updateRenderTargetMipmap=R,this.updateMultisampleRenderTarget=Se,this.setupDepthRenderbuffer=be,this.setupFrameBufferTexture=_e,this.useMultisampledRTT=Ce,this.dispose=j}function tb(e,t){function n(n,r=``){let i,a=hf.getTransfer(r);if(n===1009)return e.UNSIGNED_BYTE;if(n===1017)return e.UNSIGNED_SHORT_4_4_4_4;if(n===1018)return e.UNSIGNED_SHORT_5_5_5_1;if(n===35902)return e.UNSIGNED_INT_5_9_9_9_REV;if(n===35899)return e.UNSIGNED_INT_10F_11F_11F_REV;if(n===1010)return e.BYTE;if(n===1011)return e.SHORT;if(n===1012)return e.UNSIGNED_SHORT;if(n===1013)return e.INT;if(n===1014)return e.UNSIGNED_INT;if(n===1015)return e.FLOAT;if(n===1016)return e.HALF_FLOAT;if(n===1021)return e.ALPHA;if(n===1022)return e.RGB;if(n===1023)return e.RGBA;if(n===1026)return e.DEPTH_COMPONENT;if(n===1027)return e.DEPTH_STENCIL;if(n===1028)return e.RED;if(n===1029)return e.RED_INTEGER;if(n===1030)return e.RG;if(n===1031)return e.RG_INTEGER;if(n===1033)return e.RGBA_INTEGER;if(n===33776||n===33777||n===33778||n===33779){if(a===`srgb`){if(i=t.get(`WEBGL_compressed_texture_s3tc_srgb`),i!==null){if(n===33776)return i.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===33777)return i.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===33778)return i.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===33779)return i.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null}else if(i=t.get(`WEBGL_compressed_texture_s3tc`),i!==null){if(n===33776)return i.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===33777)return i.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===33778)return i.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===33779)return i.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null}if(n===35840||n===35841||n===35842||n===35843){if(i=t.get(`WEBGL_compressed_texture_pvrtc`),i!==null){if(n===35840)return i.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===35841)return i.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===35842)return i.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===35843)return i.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null}if(n===36196||n===37492||n===37496||n===37488||n===37489||n===37490||n===37491){if(i=t.get(`WEBGL_compressed_texture_etc`),i!==null){if(n===36196||n===37492)return a===`srgb`?i.COMPRESSED_SRGB8_ETC2:i.COMPRESSED_RGB8_ETC2;if(n===37496)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:i.COMPRESSED_RGBA8_ETC2_EAC;if(n===37488)return i.COMPRESSED_R11_EAC;if(n===37489)return i.COMPRESSED_SIGNED_R11_EAC;if(n===37490)return i.COMPRESSED_RG11_EAC;if(n===37491)return i.COMPRESSED_SIGNED_RG11_EAC}else return null}if(n===37808||n===37809||n===37810||n===37811||n===37812||n===37813||n===37814||n===37815||n===37816||n===37817||n===37818||n===37819||n===37820||n===37821){if(i=t.get(`WEBGL_compressed_texture_astc`),i!==null){if(n===37808)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:i.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===37809)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:i.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===37810)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:i.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===37811)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:i.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===37812)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:i.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===37813)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:i.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===37814)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:i.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===37815)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:i.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===37816)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:i.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===37817)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:i.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===37818)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:i.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===37819)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:i.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===37820)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:i.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===37821)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:i.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null}if(n===36492||n===36494||n===36495){if(i=t.get(`EXT_texture_compression_bptc`),i!==null){if(n===36492)return a===`srgb`?i.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:i.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===36494)return i.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===36495)return i.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null}if(n===36283||n===36284||n===36285||n===36286){if(i=t.get(`EXT_texture_compression_rgtc`),i!==null){if(n===36283)return i.COMPRESSED_RED_RGTC1_EXT;if(n===36284)return i.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===36285)return i.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===36286)return i.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null}return n===1020?e.UNSIGNED_INT_24_8:e[n]===void 0?null:e[n]}return{convert:n}}var nb=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,rb=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`,ib=class{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(e,t){if(this.texture===null){let n=new Dh(e.texture);(e.depthNear!==t.depthNear||e.depthFar!==t.depthFar)&&(this.depthNear=e.depthNear,this.depthFar=e.depthFar),this.texture=n}}getMesh(e){if(this.texture!==null&&this.mesh===null){let t=e.cameras[0].viewport,n=new Wh({vertexShader:nb,fragmentShader:rb,uniforms:{depthColor:{value:this.texture},depthWidth:{value:t.z},depthHeight:{value:t.w}}});this.mesh=new jm(new Mh(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}},ab=class extends jd{constructor(e,t){super();let n=this,r=null,i=1,a=null,o=`local-floor`,s=1,c=null,l=null,u=null,d=null,f=null,p=null,m=typeof XRWebGLBinding<`u`,h=new ib,g={},_=t.getContextAttributes(),v=null,y=null,b=[],x=[],S=new X,C=null,w=null,T=new kg;T.viewport=new Ef;let E=new kg;E.viewport=new Ef;let D=[T,E],O=new Ig,k=null,A=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(e){let t=b[e];return t===void 0&&(t=new sp,b[e]=t),t.getTargetRaySpace()},this.getControllerGrip=function(e){let t=b[e];return t===void 0&&(t=new sp,b[e]=t),t.getGripSpace()},this.getHand=function(e){let t=b[e];return t===void 0&&(t=new sp,b[e]=t),t.getHandSpace()};function j(e){let t=x.indexOf(e.inputSource);if(t===-1)return;let n=b[t];n!==void 0&&(n.update(e.inputSource,e.frame,c||a),n.dispatchEvent({type:e.type,data:e.inputSource}))}function M(){r.removeEventListener(`select`,j),r.removeEventListener(`selectstart`,j),r.removeEventListener(`selectend`,j),r.removeEventListener(`squeeze`,j),r.removeEventListener(`squeezestart`,j),r.removeEventListener(`squeezeend`,j),r.removeEventListener(`end`,M),r.removeEventListener(`inputsourceschange`,N);for(let e=0;e<b.length;e++){let t=x[e];t!==null&&(x[e]=null,b[e].disconnect(t))}k=null,A=null,h.reset();for(let e in g)delete g[e];if(e.setRenderTarget(v),f=null,d=null,u=null,r=null,y=null,re.stop(),n.isPresenting=!1,e.setPixelRatio(C),e.setSize(S.width,S.height,!1),w!==null){let e=w.camera;e.fov=w.fov,e.zoom=w.zoom,e.updateProjectionMatrix(),w=null}n.dispatchEvent({type:`sessionend`})}this.setFramebufferScaleFactor=function(e){i=e,n.isPresenting===!0&&J(`WebXRManager: Cannot change framebuffer scale while presenting.`)},this.setReferenceSpaceType=function(e){o=e,n.isPresenting===!0&&J(`WebXRManager: Cannot change reference space type while presenting.`)},this.getReferenceSpace=function(){return c||a},this.setReferenceSpace=function(e){c=e},this.getBaseLayer=function(){return d===null?f:d},this.getBinding=function(){return u===null&&m&&(u=new XRWebGLBinding(r,t)),u},this.getFrame=function(){return p},this.getSession=function(){return r},this.setSession=async function(l){if(r=l,r!==null){if(v=e.getRenderTarget(),r.addEventListener(`select`,j),r.addEventListener(`selectstart`,j),r.addEventListener(`selectend`,j),r.addEventListener(`squeeze`,j),r.addEventListener(`squeezestart`,j),r.addEventListener(`squeezeend`,j),r.addEventListener(`end`,M),r.addEventListener(`inputsourceschange`,N),_.xrCompatible!==!0&&await t.makeXRCompatible(),C=e.getPixelRatio(),e.getSize(S),m&&`createProjectionLayer`in XRWebGLBinding.prototype){let n=null,a=null,o=null;_.depth&&(o=_.stencil?t.DEPTH24_STENCIL8:t.DEPTH_COMPONENT24,n=_.stencil?vu:_u,a=_.stencil?du:ou);let s={colorFormat:t.RGBA8,depthFormat:o,scaleFactor:i};u=this.getBinding(),d=u.createProjectionLayer(s),r.updateRenderState({layers:[d]}),e.setPixelRatio(1),e.setSize(d.textureWidth,d.textureHeight,!1),y=new Of(d.textureWidth,d.textureHeight,{format:gu,type:tu,depthTexture:new Th(d.textureWidth,d.textureHeight,a,void 0,void 0,void 0,void 0,void 0,void 0,n),stencilBuffer:_.stencil,colorSpace:e.outputColorSpace,samples:_.antialias?4:0,resolveDepthBuffer:d.ignoreDepthValues===!1,resolveStencilBuffer:d.ignoreDepthValues===!1,storeMultisampledDepthBuffer:d.ignoreDepthValues===!1,storeMultisampledStencilBuffer:d.ignoreDepthValues===!1})}else{let n={antialias:_.antialias,alpha:!0,depth:_.depth,stencil:_.stencil,framebufferScaleFactor:i};f=new XRWebGLLayer(r,t,n),r.updateRenderState({baseLayer:f}),e.setPixelRatio(1),e.setSize(f.framebufferWidth,f.framebufferHeight,!1),y=new Of(f.framebufferWidth,f.framebufferHeight,{format:gu,type:tu,colorSpace:e.outputColorSpace,stencilBuffer:_.stencil,resolveDepthBuffer:f.ignoreDepthValues===!1,resolveStencilBuffer:f.ignoreDepthValues===!1,storeMultisampledDepthBuffer:f.ignoreDepthValues===!1,storeMultisampledStencilBuffer:f.ignoreDepthValues===!1})}y.isXRRenderTarget=!0,this.setFoveation(s),c=null,a=await r.requestReferenceSpace(o),re.setContext(r),re.start(),n.isPresenting=!0,n.dispatchEvent({type:`sessionstart`})}},this.getEnvironmentBlendMode=function(){if(r!==null)return r.environmentBlendMode},this.getDepthTexture=function(){return h.getDepthTexture()};function N(e){for(let t=0;t<e.removed.length;t++){let n=e.removed[t],r=x.indexOf(n);r>=0&&(x[r]=null,b[r].disconnect(n))}for(let t=0;t<e.added.length;t++){let n=e.added[t],r=x.indexOf(n);if(r===-1){for(let e=0;e<b.length;e++)if(e>=x.length){x.push(n),r=e;break}else if(x[e]===null){x[e]=n,r=e;break}if(r===-1)break}let i=b[r];i&&i.connect(n)}}function ee(e,t){t===null?e.matrixWorld.copy(e.matrix):e.matrixWorld.multiplyMatrices(t.matrixWorld,e.matrix),e.matrixWorldInverse.copy(e.matrixWorld).invert()}this.updateCamera=function(e){if(r===null)return;let t=e.near,n=e.far;h.texture!==null&&(h.depthNear>0&&(t=h.depthNear),h.depthFar>0&&(n=h.depthFar)),O.near=E.near=T.near=t,O.far=E.far=T.far=n,(k!==O.near||A!==O.far)&&(r.updateRenderState({depthNear:O.near,depthFar:O.far}),k=O.near,A=O.far),O.layers.mask=e.layers.mask|6,T.layers.mask=O.layers.mask&-5,E.layers.mask=O.layers.mask&-3;let i=e.parent,a=O.cameras;ee(O,i);for(let e=0;e<a.length;e++)ee(a[e],i);O.projectionMatrix.copy(T.projectionMatrix),O.projectionMatrixInverse.copy(T.projectionMatrixInverse),w===null&&e.isPerspectiveCamera&&(w={camera:e,fov:e.fov,zoom:e.zoom}),te(e,O,i)};function te(e,t,n){n===null?e.matrix.copy(t.matrixWorld):(e.matrix.copy(n.matrixWorld),e.matrix.invert(),e.matrix.multiply(t.matrixWorld)),e.matrix.decompose(e.position,e.quaternion,e.scale),e.updateMatrixWorld(!0),e.projectionMatrix.copy(t.projectionMatrix),e.projectionMatrixInverse.copy(t.projectionMatrixInverse),e.isPerspectiveCamera&&(e.fov=Fd*2*Math.atan(1/e.projectionMatrix.elements[5]),e.zoom=1)}this.getCamera=function(){return O},this.getFoveation=function(){if(d!==null||f!==null)return s},this.setFoveation=function(e){s=e,d!==null&&(d.fixedFoveation=e),f!==null&&f.fixedFoveation!==void 0&&(f.fixedFoveation=e)},this.hasDepthSensing=function(){return h.texture!==null},this.getDepthSensingMesh=function(){return h.getMesh(O)},this.getCameraTexture=function(e){return g[e]};let ne=null;function P(t,i){if(l=i.getViewerPose(c||a),p=i,l!==null){let t=l.views;f!==null&&(e.setRenderTargetFramebuffer(y,f.framebuffer),e.setRenderTarget(y));let i=!1;t.length!==O.cameras.length&&(O.cameras.length=0,i=!0);for(let n=0;n<t.length;n++){let r=t[n],a=null;if(f!==null)a=f.getViewport(r);else{let t=u.getViewSubImage(d,r);a=t.viewport,n===0&&(e.setRenderTargetTextures(y,t.colorTexture,t.depthStencilTexture),e.setRenderTarget(y))}let o=D[n];o===void 0&&(o=new kg,o.layers.enable(n),o.viewport=new Ef,D[n]=o),o.matrix.fromArray(r.transform.matrix),o.matrix.decompose(o.position,o.quaternion,o.scale),o.projectionMatrix.fromArray(r.projectionMatrix),o.projectionMatrixInverse.copy(o.projectionMatrix).invert(),o.viewport.set(a.x,a.y,a.width,a.height),n===0&&(O.matrix.copy(o.matrix),O.matrix.decompose(O.position,O.quaternion,O.scale)),i===!0&&O.cameras.push(o)}let a=r.enabledFeatures;if(a&&a.includes(`depth-sensing`)&&r.depthUsage==`gpu-optimized`&&m){u=n.getBinding();let e=u.getDepthInformation(t[0]);e&&e.isValid&&e.texture&&h.init(e,r.renderState)}if(a&&a.includes(`camera-access`)&&m){e.state.unbindTexture(),u=n.getBinding();for(let e=0;e<t.length;e++){let n=t[e].camera;if(n){let e=g[n];e||(e=new Dh,g[n]=e);let t=u.getCameraImage(n);e.sourceTexture=t}}}}for(let e=0;e<b.length;e++){let t=x[e],n=b[e];t!==null&&n!==void 0&&n.update(t,i,c||a)}ne&&ne(t,i),i.detectedPlanes&&n.dispatchEvent({type:`planesdetected`,data:i}),p=null}let re=new r_;re.setAnimationLoop(P),this.setAnimationLoop=function(e){ne=e},this.dispose=function(){}}},ob=new jf,sb=new uf;sb.set(-1,0,0,0,1,0,0,0,1);function cb(e,t){function n(e,t){e.matrixAutoUpdate===!0&&e.updateMatrix(),t.value.copy(e.matrix)}function r(t,n){n.color.getRGB(t.fogColor.value,Bh(e)),n.isFog?(t.fogNear.value=n.near,t.fogFar.value=n.far):n.isFogExp2&&(t.fogDensity.value=n.density)}function i(e,t,n,r,i){t.isNodeMaterial?t.uniformsNeedUpdate=!1:t.isMeshBasicMaterial?a(e,t):t.isMeshLambertMaterial?(a(e,t),t.envMap&&(e.envMapIntensity.value=t.envMapIntensity)):t.isMeshToonMaterial?(a(e,t),d(e,t)):t.isMeshPhongMaterial?(a(e,t),u(e,t),t.envMap&&(e.envMapIntensity.value=t.envMapIntensity)):t.isMeshStandardMaterial?(a(e,t),f(e,t),t.isMeshPhysicalMaterial&&p(e,t,i)):t.isMeshMatcapMaterial?(a(e,t),m(e,t)):t.isMeshDepthMaterial?a(e,t):t.isMeshDistanceMaterial?(a(e,t),h(e,t)):t.isMeshNormalMaterial?a(e,t):t.isLineBasicMaterial?(o(e,t),t.isLineDashedMaterial&&s(e,t)):t.isPointsMaterial?c(e,t,n,r):t.isSpriteMaterial?l(e,t):t.isShadowMaterial?(e.color.value.copy(t.color),e.opacity.value=t.opacity):t.isShaderMaterial&&(t.uniformsNeedUpdate=!1)}function a(e,r){e.opacity.value=r.opacity,r.color&&e.diffuse.value.copy(r.color),r.emissive&&e.emissive.value.copy(r.emissive).multiplyScalar(r.emissiveIntensity),r.map&&(e.map.value=r.map,n(r.map,e.mapTransform)),r.alphaMap&&(e.alphaMap.value=r.alphaMap,n(r.alphaMap,e.alphaMapTransform)),r.bumpMap&&(e.bumpMap.value=r.bumpMap,n(r.bumpMap,e.bumpMapTransform),e.bumpScale.value=r.bumpScale,r.side===1&&(e.bumpScale.value*=-1)),r.normalMap&&(e.normalMap.value=r.normalMap,n(r.normalMap,e.normalMapTransform),e.normalScale.value.copy(r.normalScale),r.side===1&&e.normalScale.value.negate()),r.displacementMap&&(e.displacementMap.value=r.displacementMap,n(r.displacementMap,e.displacementMapTransform),e.displacementScale.value=r.displacementScale,e.displacementBias.value=r.displacementBias),r.emissiveMap&&(e.emissiveMap.value=r.emissiveMap,n(r.emissiveMap,e.emissiveMapTransform)),r.specularMap&&(e.specularMap.value=r.specularMap,n(r.specularMap,e.specularMapTransform)),r.alphaTest>0&&(e.alphaTest.value=r.alphaTest);let i=t.get(r),a=i.envMap,o=i.envMapRotation;a&&(e.envMap.value=a,e.envMapRotation.value.setFromMatrix4(ob.makeRotationFromEuler(o)).transpose(),a.isCubeTexture&&a.isRenderTargetTexture===!1&&e.envMapRotation.value.premultiply(sb),e.reflectivity.value=r.reflectivity,e.ior.value=r.ior,e.refractionRatio.value=r.refractionRatio),r.lightMap&&(e.lightMap.value=r.lightMap,e.lightMapIntensity.value=r.lightMapIntensity,n(r.lightMap,e.lightMapTransform)),r.aoMap&&(e.aoMap.value=r.aoMap,e.aoMapIntensity.value=r.aoMapIntensity,n(r.aoMap,e.aoMapTransform))}function o(e,t){e.diffuse.value.copy(t.color),e.opacity.value=t.opacity,t.map&&(e.map.value=t.map,n(t.map,e.mapTransform))}function s(e,t){e.dashSize.value=t.dashSize,e.totalSize.value=t.dashSize+t.gapSize,e.scale.value=t.scale}function c(e,t,r,i){e.diffuse.value.copy(t.color),e.opacity.value=t.opacity,e.size.value=t.size*r,e.scale.value=i*.5,t.map&&(e.map.value=t.map,n(t.map,e.uvTransform)),t.alphaMap&&(e.alphaMap.value=t.alphaMap,n(t.alphaMap,e.alphaMapTransform)),t.alphaTest>0&&(e.alphaTest.value=t.alphaTest)}function l(e,t){e.diffuse.value.copy(t.color),e.opacity.value=t.opacity,e.rotation.value=t.rotation,t.map&&(e.map.value=t.map,n(t.map,e.mapTransform)),t.alphaMap&&(e.alphaMap.value=t.alphaMap,n(t.alphaMap,e.alphaMapTransform)),t.alphaTest>0&&(e.alphaTest.value=t.alphaTest)}function u(e,t){e.specular.value.copy(t.specular),e.shininess.value=Math.max(t.shininess,1e-4)}function d(e,t){t.gradientMap&&(e.gradientMap.value=t.gradientMap)}function f(e,t){e.metalness.value=t.metalness,t.metalnessMap&&(e.metalnessMap.value=t.metalnessMap,n(t.metalnessMap,e.metalnessMapTransform)),e.roughness.value=t.roughness,t.roughnessMap&&(e.roughnessMap.value=t.roughnessMap,n(t.roughnessMap,e.roughnessMapTransform)),t.envMap&&(e.envMapIntensity.value=t.envMapIntensity)}function p(e,t,r){e.ior.value=t.ior,t.diffuseRoughness>0&&(e.diffuseRoughness.value=t.diffuseRoughness,t.diffuseRoughnessMap&&(e.diffuseRoughnessMap.value=t.diffuseRoughnessMap,n(t.diffuseRoughnessMap,e.diffuseRoughnessMapTransform))),t.sheen>0&&(e.sheenColor.value.copy(t.sheenColor).multiplyScalar(t.sheen),e.sheenRoughness.value=t.sheenRoughness,t.sheenColorMap&&(e.sheenColorMap.value=t.sheenColorMap,n(t.sheenColorMap,e.sheenColorMapTransform)),t.sheenRoughnessMap&&(e.sheenRoughnessMap.value=t.sheenRoughnessMap,n(t.sheenRoughnessMap,e.sheenRoughnessMapTransform))),t.clearcoat>0&&(e.clearcoat.value=t.clearcoat,e.clearcoatRoughness.value=t.clearcoatRoughness,t.clearcoatMap&&(e.clearcoatMap.value=t.clearcoatMap,n(t.clearcoatMap,e.clearcoatMapTransform)),t.clearcoatRoughnessMap&&(e.clearcoatRoughnessMap.value=t.clearcoatRoughnessMap,n(t.clearcoatRoughnessMap,e.clearcoatRoughnessMapTransform)),t.clearcoatNormalMap&&(e.clearcoatNormalMap.value=t.clearcoatNormalMap,n(t.clearcoatNormalMap,e.clearcoatNormalMapTransform),e.clearcoatNormalScale.value.copy(t.clearcoatNormalScale),t.side===1&&e.clearcoatNormalScale.value.negate())),t.dispersion>0&&(e.dispersion.value=t.dispersion),t.retroreflectivity>0&&(e.retroreflectivity.value=t.retroreflectivity),t.iridescence>0&&(e.iridescence.value=t.iridescence,e.iridescenceIOR.value=t.iridescenceIOR,e.iridescenceThicknessMinimum.value=t.iridescenceThicknessMinimum,e.iridescenceThicknessMaximum.value=t.iridescenceThicknessMaximum,t.iridescenceMap&&(e.iridescenceMap.value=t.iridescenceMap,n(t.iridescenceMap,e.iridescenceMapTransform)),t.iridescenceThicknessMap&&(e.iridescenceThicknessMap.value=t.iridescenceThicknessMap,n(t.iridescenceThicknessMap,e.iridescenceThicknessMapTransform))),t.transmission>0&&(e.transmission.value=t.transmission,e.transmissionSamplerMap.value=r.texture,e.transmissionSamplerSize.value.set(r.width,r.height),t.transmissionMap&&(e.transmissionMap.value=t.transmissionMap,n(t.transmissionMap,e.transmissionMapTransform)),e.thickness.value=t.thickness,t.thicknessMap&&(e.thicknessMap.value=t.thicknessMap,n(t.thicknessMap,e.thicknessMapTransform)),e.attenuationDistance.value=t.attenuationDistance,e.attenuationColor.value.copy(t.attenuationColor)),t.anisotropy>0&&(e.anisotropyVector.value.set(t.anisotropy*Math.cos(t.anisotropyRotation),t.anisotropy*Math.sin(t.anisotropyRotation)),t.anisotropyMap&&(e.anisotropyMap.value=t.anisotropyMap,n(t.anisotropyMap,e.anisotropyMapTransform))),e.specularIntensity.value=t.specularIntensity,e.specularColor.value.copy(t.specularColor),t.specularColorMap&&(e.specularColorMap.value=t.specularColorMap,n(t.specularColorMap,e.specularColorMapTransform)),t.specularIntensityMap&&(e.specularIntensityMap.value=t.specularIntensityMap,n(t.specularIntensityMap,e.specularIntensityMapTransform))}function m(e,t){t.matcap&&(e.matcap.value=t.matcap)}function h(e,n){let r=t.get(n).light;e.referencePosition.value.setFromMatrixPosition(r.matrixWorld),e.nearDistance.value=r.shadow.camera.near,e.farDistance.value=r.shadow.camera.far}return{refreshFogUniforms:r,refreshMaterialUniforms:i}}function lb(e,t,n,r){let i={},a={};function o(e,t){let n=t.program;r.uniformBlockBinding(e,n,i[e.id])}function s(e,n){let o=i[e.id];o===void 0&&(m(e),o=c(e),i[e.id]=o,e.addEventListener(`dispose`,g));let s=n.program;r.updateUBOMapping(e,s);let u=t.render.frame;a[e.id]!==u&&(l(e),a[e.id]=u)}function c(t){let n=e.createBuffer(),r=t.__size,i=t.usage;return e.bindBuffer(e.UNIFORM_BUFFER,n),e.bufferData(e.UNIFORM_BUFFER,r,i),e.bindBuffer(e.UNIFORM_BUFFER,null),n}function l(t){let n=i[t.id],r=t.uniforms,a=t.__cache;e.bindBuffer(e.UNIFORM_BUFFER,n);for(let e=0,t=r.length;e<t;e++){let t=r[e];if(Array.isArray(t))for(let n=0,r=t.length;n<r;n++)u(t[n],e,n,a);else u(t,e,0,a)}e.bindBuffer(e.UNIFORM_BUFFER,null)}function u(t,n,r,i){if(f(t,n,r,i)===!0){let n=t.__offset,r=t.value;if(Array.isArray(r)){let e=0;for(let n=0;n<r.length;n++){let i=r[n],a=h(i,!0);d(i,t.__data,e),e+=a.storage/Float32Array.BYTES_PER_ELEMENT}}else d(r,t.__data,0);e.bufferSubData(e.UNIFORM_BUFFER,n,t.__data)}}function d(e,t,n){typeof e==`number`||typeof e==`boolean`?t[n]=e:e.isMatrix3?(t[n]=e.elements[0],t[n+1]=e.elements[1],t[n+2]=e.elements[2],t[n+3]=0,t[n+4]=e.elements[3],t[n+5]=e.elements[4],t[n+6]=e.elements[5],t[n+7]=0,t[n+8]=e.elements[6],t[n+9]=e.elements[7],t[n+10]=e.elements[8],t[n+11]=0):ArrayBuffer.isView(e)?t.set(e.subarray(0,t.length-n),n):e.toArray(t,n)}function f(e,t,n,r){let i=e.value,a=t+`_`+n;if(Array.isArray(i)){r[a]===void 0&&(r[a]=[]);let e=r[a],t=!1;for(let n=0;n<i.length;n++)p(i[n],e,n)===!0&&(t=!0);return t}return p(i,r,a)}function p(e,t,n){if(t[n]===void 0)return t[n]=typeof e==`number`||typeof e==`boolean`?e:ArrayBuffer.isView(e)?e.slice():e.clone(),!0;{let r=t[n];if(typeof e==`number`||typeof e==`boolean`){if(r!==e)return t[n]=e,!0}else if(ArrayBuffer.isView(e))return!0;else if(r.equals(e)===!1)return r.copy(e),!0}return!1}function m(e){let t=e.uniforms,n=0;for(let e=0,r=t.length;e<r;e++){let r=Array.isArray(t[e])?t[e]:[t[e]];for(let i=0,a=r.length;i<a;i++){let a=r[i],o=Array.isArray(a.value)?a.value:[a.value],s=Array.isArray(t[e])||Array.isArray(a.value),c=n;for(let e=0,t=o.length;e<t;e++){let t=o[e],r=h(t,s),i=n%16,a=i%r.boundary,l=i+a;n+=a,l!==0&&16-l<r.storage&&(n+=16-l),e===0&&(c=n),n+=r.storage}a.__data=new(a.type===`int`?Int32Array:a.type===`uint`?Uint32Array:Float32Array)((n-c)/Float32Array.BYTES_PER_ELEMENT),a.__offset=c}}let r=n%16;return r>0&&(n+=16-r),e.__size=n,e.__cache={},this}function h(e,t){let n={boundary:0,storage:0};return typeof e==`number`||typeof e==`boolean`?(n.boundary=4,n.storage=4):e.isVector2?(n.boundary=8,n.storage=8):e.isVector3||e.isColor?(n.boundary=16,n.storage=12):e.isVector4?(n.boundary=16,n.storage=16):e.isMatrix3?(n.boundary=16,n.storage=48):e.isMatrix4?(n.boundary=16,n.storage=64):e.isTexture?J(`WebGLRenderer: Texture samplers can not be part of an uniforms group.`):ArrayBuffer.isView(e)?(n.boundary=16,n.storage=e.byteLength):J(`WebGLRenderer: Unsupported uniform value type.`,e),t===!0&&(n.boundary=16,n.storage=Math.ceil(n.storage/16)*16),n}function g(t){let n=t.target;n.removeEventListener(`dispose`,g),e.deleteBuffer(i[n.id]),delete i[n.id],delete a[n.id]}function _(){for(let t in i)e.deleteBuffer(i[t]);i={},a={}}return{bind:o,update:s,dispose:_}}var ub=new Uint16Array([12469,15057,12620,14925,13266,14620,13807,14376,14323,13990,14545,13625,14713,13328,14840,12882,14931,12528,14996,12233,15039,11829,15066,11525,15080,11295,15085,10976,15082,10705,15073,10495,13880,14564,13898,14542,13977,14430,14158,14124,14393,13732,14556,13410,14702,12996,14814,12596,14891,12291,14937,11834,14957,11489,14958,11194,14943,10803,14921,10506,14893,10278,14858,9960,14484,14039,14487,14025,14499,13941,14524,13740,14574,13468,14654,13106,14743,12678,14818,12344,14867,11893,14889,11509,14893,11180,14881,10751,14852,10428,14812,10128,14765,9754,14712,9466,14764,13480,14764,13475,14766,13440,14766,13347,14769,13070,14786,12713,14816,12387,14844,11957,14860,11549,14868,11215,14855,10751,14825,10403,14782,10044,14729,9651,14666,9352,14599,9029,14967,12835,14966,12831,14963,12804,14954,12723,14936,12564,14917,12347,14900,11958,14886,11569,14878,11247,14859,10765,14828,10401,14784,10011,14727,9600,14660,9289,14586,8893,14508,8533,15111,12234,15110,12234,15104,12216,15092,12156,15067,12010,15028,11776,14981,11500,14942,11205,14902,10752,14861,10393,14812,9991,14752,9570,14682,9252,14603,8808,14519,8445,14431,8145,15209,11449,15208,11451,15202,11451,15190,11438,15163,11384,15117,11274,15055,10979,14994,10648,14932,10343,14871,9936,14803,9532,14729,9218,14645,8742,14556,8381,14461,8020,14365,7603,15273,10603,15272,10607,15267,10619,15256,10631,15231,10614,15182,10535,15118,10389,15042,10167,14963,9787,14883,9447,14800,9115,14710,8665,14615,8318,14514,7911,14411,7507,14279,7198,15314,9675,15313,9683,15309,9712,15298,9759,15277,9797,15229,9773,15166,9668,15084,9487,14995,9274,14898,8910,14800,8539,14697,8234,14590,7790,14479,7409,14367,7067,14178,6621,15337,8619,15337,8631,15333,8677,15325,8769,15305,8871,15264,8940,15202,8909,15119,8775,15022,8565,14916,8328,14804,8009,14688,7614,14569,7287,14448,6888,14321,6483,14088,6171,15350,7402,15350,7419,15347,7480,15340,7613,15322,7804,15287,7973,15229,8057,15148,8012,15046,7846,14933,7611,14810,7357,14682,7069,14552,6656,14421,6316,14251,5948,14007,5528,15356,5942,15356,5977,15353,6119,15348,6294,15332,6551,15302,6824,15249,7044,15171,7122,15070,7050,14949,6861,14818,6611,14679,6349,14538,6067,14398,5651,14189,5311,13935,4958,15359,4123,15359,4153,15356,4296,15353,4646,15338,5160,15311,5508,15263,5829,15188,6042,15088,6094,14966,6001,14826,5796,14678,5543,14527,5287,14377,4985,14133,4586,13869,4257,15360,1563,15360,1642,15358,2076,15354,2636,15341,3350,15317,4019,15273,4429,15203,4732,15105,4911,14981,4932,14836,4818,14679,4621,14517,4386,14359,4156,14083,3795,13808,3437,15360,122,15360,137,15358,285,15355,636,15344,1274,15322,2177,15281,2765,15215,3223,15120,3451,14995,3569,14846,3567,14681,3466,14511,3305,14344,3121,14037,2800,13753,2467,15360,0,15360,1,15359,21,15355,89,15346,253,15325,479,15287,796,15225,1148,15133,1492,15008,1749,14856,1882,14685,1886,14506,1783,14324,1608,13996,1398,13702,1183]),db=null;function fb(){return db===null&&(db=new Gm(ub,16,16,xu,cu),db.name=`DFG_LUT`,db.minFilter=Ql,db.magFilter=Ql,db.wrapS=ql,db.wrapT=ql,db.generateMipmaps=!1,db.needsUpdate=!0),db}var pb=class{constructor(e={}){let{canvas:t=wd(),context:n=null,depth:r=!0,stencil:i=!1,alpha:a=!1,antialias:o=!1,premultipliedAlpha:s=!0,preserveDrawingBuffer:c=!1,powerPreference:l=`default`,failIfMajorPerformanceCaveat:u=!1,reversedDepthBuffer:d=!1,outputBufferType:f=tu}=e;this.isWebGLRenderer=!0;let p;if(n!==null){if(typeof WebGLRenderingContext<`u`&&n instanceof WebGLRenderingContext)throw Error(`THREE.WebGLRenderer: WebGL 1 is not supported since r163.`);p=n.getContextAttributes().alpha}else p=a;let m=f,h=new Set([Cu,Su,bu]),g=new Set([tu,ou,iu,du,lu,uu]),_=new Uint32Array(4),v=new Int32Array(4),y={textures:[],min:[],max:[],resolution:[]},b=null,x=null,S=[],C=[],w=null;this.domElement=t,this.debug={checkShaderErrors:!0,diagnostics:{keywords:!1},onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=0,this.toneMappingExposure=1,this.transmissionResolutionScale=1;let T=this,E=!1,D=null,O=null,k=null,A=null;this._outputColorSpace=md;let j=0,M=0,N=null,ee=-1,te=null,ne=new Ef,P=new Ef,re=null,F=new Q(0),ie=0,ae=t.width,oe=t.height,I=1,se=null,ce=null,le=new Ef(0,0,ae,oe),ue=new Ef(0,0,ae,oe),de=!1,fe=new sh,pe=new lh,me=!1,he=!1,ge=new jf,_e=new Z,ve=new Ef,ye={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0},be=!1;function xe(){return N===null?I:1}let L=n;function R(e,n){return t.getContext(e,n)}let z,Se,B,Ce,V,H,we,Te,U,Ee,De,Oe,ke,Ae,je,Me,Ne,Pe,Fe,W,Ie,Le,Re;try{let e={alpha:!0,depth:r,stencil:i,antialias:o,premultipliedAlpha:s,preserveDrawingBuffer:c,powerPreference:l,failIfMajorPerformanceCaveat:u};if(`setAttribute`in t&&t.setAttribute(`data-engine`,`three.js r187`),t.addEventListener(`webglcontextlost`,ze,!1),t.addEventListener(`webglcontextrestored`,Be,!1),t.addEventListener(`webglcontextcreationerror`,Ve,!1),L===null){let t=`webgl2`;if(L=R(t,e),L===null)throw R(t)?Error(`THREE.WebGLRenderer: Error creating WebGL context with your selected attributes.`):Error(`THREE.WebGLRenderer: Error creating WebGL context.`)}G()}catch(e){throw t.removeEventListener(`webglcontextlost`,ze,!1),t.removeEventListener(`webglcontextrestored`,Be,!1),t.removeEventListener(`webglcontextcreationerror`,Ve,!1),Y(`WebGLRenderer: `+e.message),e}function G(){z=new N_(L),z.init(),Ie=new tb(L,z),Se=new p_(L,z,e,Ie),B=new $y(L,z),Se.reversedDepthBuffer&&d&&B.buffers.depth.setReversed(!0),O=L.createFramebuffer(),k=L.createFramebuffer(),A=L.createFramebuffer(),Ce=new I_(L),V=new Ny,H=new eb(L,z,B,V,Se,Ie,Ce),we=new M_(T),Te=new i_(L),Le=new d_(L,Te),U=new P_(L,Te,Ce,Le),Ee=new R_(L,U,Te,Le,Ce),Pe=new L_(L,Se,H),je=new m_(V),De=new My(T,we,z,Se,Le,je),Oe=new cb(T,V),ke=new Ly,Ae=new Wy(z),Ne=new u_(T,we,B,Ee,p,s),Me=new Qy(T,Ee,Se),Re=new lb(L,Ce,Se,B),Fe=new f_(L,z,Ce),W=new F_(L,z,Ce),Ce.programs=De.programs,T.capabilities=Se,T.extensions=z,T.properties=V,T.renderLists=ke,T.shadowMap=Me,T.state=B,T.info=Ce}m!==1009&&(w=new B_(m,t.width,t.height,o,r,i));let K=new ab(T,L);this.xr=K,this.getContext=function(){return L},this.getContextAttributes=function(){return L.getContextAttributes()},this.forceContextLoss=function(){let e=z.get(`WEBGL_lose_context`);e&&e.loseContext()},this.forceContextRestore=function(){let e=z.get(`WEBGL_lose_context`);e&&e.restoreContext()},this.getPixelRatio=function(){return I},this.setPixelRatio=function(e){e!==void 0&&(I=e,this.setSize(ae,oe,!1))},this.getSize=function(e){return e.set(ae,oe)},this.setSize=function(e,n,r=!0){K.isPresenting?J(`WebGLRenderer: Can't change size while VR device is presenting.`):(ae=e,oe=n,t.width=Math.floor(e*I),t.height=Math.floor(n*I),r===!0&&(t.style.width=e+`px`,t.style.height=n+`px`),w!==null&&w.setSize(t.width,t.height),this.setViewport(0,0,e,n))},this.getDrawingBufferSize=function(e){return e.set(ae*I,oe*I).floor()},this.setDrawingBufferSize=function(e,n,r){ae=e,oe=n,I=r,t.width=Math.floor(e*r),t.height=Math.floor(n*r),this.setViewport(0,0,e,n)},this.setEffects=function(e){if(m===1009)Y(`WebGLRenderer: setEffects() requires outputBufferType set to HalfFloatType or FloatType.`);else{if(e){for(let t=0;t<e.length;t++)if(e[t].isOutputPass===!0){J(`WebGLRenderer: OutputPass is not needed in setEffects(). Tone mapping and color space conversion are applied automatically.`);break}}w.setEffects(e||[])}},this.getCurrentViewport=function(e){return e.copy(ne)},this.getViewport=function(e){return e.copy(le)},this.setViewport=function(e,t,n,r){e.isVector4?le.set(e.x,e.y,e.z,e.w):le.set(e,t,n,r),B.viewport(ne.copy(le).multiplyScalar(xe()).round())},this.getScissor=function(e){return e.copy(ue)},this.setScissor=function(e,t,n,r){e.isVector4?ue.set(e.x,e.y,e.z,e.w):ue.set(e,t,n,r),B.scissor(P.copy(ue).multiplyScalar(xe()).round())},this.getScissorTest=function(){return de},this.setScissorTest=function(e){B.setScissorTest(de=e)},this.setOpaqueSort=function(e){se=e},this.setTransparentSort=function(e){ce=e},this.getClearColor=function(e){return e.copy(Ne.getClearColor())},this.setClearColor=function(){Ne.setClearColor(...arguments)},this.getClearAlpha=function(){return Ne.getClearAlpha()},this.setClearAlpha=function(){Ne.setClearAlpha(...arguments)},this.clear=function(e=!0,t=!0,n=!0){let r=0;if(e){let e=!1;if(N!==null){let t=N.texture.format;e=h.has(t)}if(e){let e=N.texture.type,t=g.has(e),n=Ne.getClearColor(),r=Ne.getClearAlpha(),i=n.r,a=n.g,o=n.b;t?(_[0]=i,_[1]=a,_[2]=o,_[3]=r,L.clearBufferuiv(L.COLOR,0,_)):(v[0]=i,v[1]=a,v[2]=o,v[3]=r,L.clearBufferiv(L.COLOR,0,v))}else r|=L.COLOR_BUFFER_BIT}t&&(r|=L.DEPTH_BUFFER_BIT,this.state.buffers.depth.setMask(!0)),n&&(r|=L.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),r!==0&&L.clear(r)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.setNodesHandler=function(e){e.setRenderer(this),D=e},this.dispose=function(){t.removeEventListener(`webglcontextlost`,ze,!1),t.removeEventListener(`webglcontextrestored`,Be,!1),t.removeEventListener(`webglcontextcreationerror`,Ve,!1),Ne.dispose(),ke.dispose(),Ae.dispose(),H.dispose(),V.dispose(),we.dispose(),Ee.dispose(),U.dispose(),Le.dispose(),Re.dispose(),De.dispose(),K.dispose(),K.removeEventListener(`sessionstart`,Je),K.removeEventListener(`sessionend`,Ye),Xe.stop()};function ze(e){e.preventDefault(),Ed(`WebGLRenderer: Context Lost.`),E=!0}function Be(){Ed(`WebGLRenderer: Context Restored.`),E=!1;let e=Ce.autoReset,t=Me.enabled,n=Me.autoUpdate,r=Me.needsUpdate,i=Me.type;G(),Ce.autoReset=e,Me.enabled=t,Me.autoUpdate=n,Me.needsUpdate=r,Me.type=i}function Ve(e){Y(`WebGLRenderer: A WebGL context could not be created. Reason: `,e.statusMessage)}function He(e){let t=e.target;t.removeEventListener(`dispose`,He),Ue(t)}function Ue(e){We(e),V.remove(e)}function We(e){let t=V.get(e).programs;t!==void 0&&(t.forEach(function(e){De.releaseProgram(e)}),e.isShaderMaterial&&De.releaseShaderCache(e))}this.renderBufferDirect=function(e,t,n,r,i,a){t===null&&(t=ye);let o=i.isMesh&&i.matrixWorld.determinantAffine()<0,s=ot(e,t,n,r,i);B.setMaterial(r,o);let c=n.index,l=1;if(r.wireframe===!0){if(c=U.getWireframeAttribute(n),c===void 0)return;l=2}let u=n.drawRange,d=n.attributes.position,f=u.start*l,p=(u.start+u.count)*l;a!==null&&(f=Math.max(f,a.start*l),p=Math.min(p,(a.start+a.count)*l)),c===null?d!=null&&(f=Math.max(f,0),p=Math.min(p,d.count)):(f=Math.max(f,0),p=Math.min(p,c.count));let m=p-f;if(m<0||m===1/0)return;Le.setup(i,r,s,n,c);let h,g=Fe;if(c!==null&&(h=Te.get(c),g=W,g.setIndex(h)),i.isMesh)r.wireframe===!0?(B.setLineWidth(r.wireframeLinewidth*xe()),g.setMode(L.LINES)):g.setMode(L.TRIANGLES);else if(i.isLine){let e=r.linewidth;e===void 0&&(e=1),B.setLineWidth(e*xe()),i.isLineSegments?g.setMode(L.LINES):i.isLineLoop?g.setMode(L.LINE_LOOP):g.setMode(L.LINE_STRIP)}else i.isPoints?g.setMode(L.POINTS):i.isSprite&&g.setMode(L.TRIANGLES);if(i.isBatchedMesh){if(z.get(`WEBGL_multi_draw`))g.renderMultiDraw(i._multiDrawStarts,i._multiDrawCounts,i._multiDrawCount);else{let e=i._multiDrawStarts,t=i._multiDrawCounts,n=i._multiDrawCount,a=c?Te.get(c).bytesPerElement:1,o=V.get(r).currentProgram.getUniforms();for(let r=0;r<n;r++)o.setValue(L,`_gl_DrawID`,r),g.render(e[r]/a,t[r])}}else if(i.isInstancedMesh)g.renderInstances(f,m,i.count);else if(n.isInstancedBufferGeometry){let e=n._maxInstanceCount===void 0?1/0:n._maxInstanceCount,t=Math.min(n.instanceCount,e);g.renderInstances(f,m,t)}else g.render(f,m)};function Ge(e,t,n,r){D!==null&&e.isNodeMaterial&&D.setObject(r,e),me===!0&&je.setState(e,n,!1),e.transparent===!0&&e.side===2&&e.forceSinglePass===!1?(e.side=1,e.needsUpdate=!0,nt(e,t,r),e.side=0,e.needsUpdate=!0,nt(e,t,r),e.side=2):nt(e,t,r)}this.compile=function(e,t,n=null){n===null&&(n=e),D!==null&&D.renderStart(e,t,n),x=Ae.get(n),x.init(t),C.push(x),n.traverseVisible(function(e){e.isLight&&e.layers.test(t.layers)&&(x.pushLight(e),e.castShadow&&x.pushShadow(e))}),e!==n&&e.traverseVisible(function(e){e.isLight&&e.layers.test(t.layers)&&(x.pushLight(e),e.castShadow&&x.pushShadow(e))}),x.setupLights(),D!==null&&D.updateLights(x.state.lightsArray),he=this.localClippingEnabled,me=je.init(this.clippingPlanes,he),me===!0&&je.setGlobalState(this.clippingPlanes,t),D!==null&&Me.render(x.state.shadowsArray,n,t);let r=new Set;return e.traverse(function(e){if(!(e.isMesh||e.isPoints||e.isLine||e.isSprite))return;let i=e.material;if(i){if(Array.isArray(i))for(let a=0;a<i.length;a++){let o=i[a];Ge(o,n,t,e),r.add(o)}else Ge(i,n,t,e),r.add(i)}}),x=C.pop(),D!==null&&D.renderEnd(),r},this.compileAsync=function(e,t,n=null){let r=this.compile(e,t,n);return new Promise(t=>{function n(){r.forEach(function(e){let t=V.get(e).currentProgram;(t===void 0||t.isReady())&&r.delete(e)}),r.size===0?t(e):setTimeout(n,10)}z.get(`KHR_parallel_shader_compile`)===null?setTimeout(n,10):n()})};let Ke=null;function qe(e){Ke&&Ke(e)}function Je(){Xe.stop()}function Ye(){Xe.start()}let Xe=new r_;Xe.setAnimationLoop(qe),typeof self<`u`&&Xe.setContext(self),this.setAnimationLoop=function(e){Ke=e,K.setAnimationLoop(e),e===null?Xe.stop():Xe.start()},K.addEventListener(`sessionstart`,Je),K.addEventListener(`sessionend`,Ye),this.render=function(e,t){if(t!==void 0&&t.isCamera!==!0){Y(`WebGLRenderer.render: camera is not an instance of THREE.Camera.`);return}if(E===!0)return;D!==null&&D.renderStart(e,t);let n=K.enabled===!0&&K.isPresenting===!0,r=w!==null&&(N===null||n)&&w.begin(T,N);if(e.matrixWorldAutoUpdate===!0&&e.updateMatrixWorld(),t.parent===null&&t.matrixWorldAutoUpdate===!0&&t.updateMatrixWorld(),K.enabled===!0&&K.isPresenting===!0&&(w===null||w.isCompositing()===!1)&&(K.cameraAutoUpdate===!0&&K.updateCamera(t),t=K.getCamera()),e.isScene===!0&&e.onBeforeRender(T,e,t,N),x=Ae.get(e,C.length),x.init(t),x.state.textureUnits=H.getTextureUnits(),C.push(x),ge.multiplyMatrices(t.projectionMatrix,t.matrixWorldInverse),t.isArrayCamera?pe.setFromArrayCamera(t):fe.setFromProjectionMatrix(ge,bd,t.reversedDepth),he=this.localClippingEnabled,me=je.init(this.clippingPlanes,he),b=ke.get(e,S.length),b.init(),S.push(b),this.info.render.frame++,K.enabled===!0&&K.isPresenting===!0){let e=T.xr.getDepthSensingMesh();e!==null&&Ze(e,t,-1/0,T.sortObjects)}Ze(e,t,0,T.sortObjects),b.finish(),D!==null&&D.updateLights(x.state.lightsArray),T.sortObjects===!0&&b.sort(se,ce),be=K.enabled===!1||K.isPresenting===!1||K.hasDepthSensing()===!1,be&&Ne.addToRenderList(b,e),this.info.autoReset===!0&&this.info.reset(),me===!0&&je.beginShadows();let i=x.state.shadowsArray;if(Me.render(i,e,t),me===!0&&je.endShadows(),(r&&w.hasRenderPass())===!1){let n=b.opaque,r=b.transmissive;if(x.setupLights(),t.isArrayCamera){let i=t.cameras;if(r.length>0)for(let t=0,a=i.length;t<a;t++){let a=i[t];q(n,r,e,a)}be&&Ne.render(e);for(let t=0,n=i.length;t<n;t++){let n=i[t];Qe(b,e,n,n.viewport)}}else r.length>0&&q(n,r,e,t),be&&Ne.render(e),Qe(b,e,t)}N!==null&&M===0&&(H.updateMultisampleRenderTarget(N),H.updateRenderTargetMipmap(N)),r&&w.end(T),e.isScene===!0&&e.onAfterRender(T,e,t),Le.resetDefaultState(),ee=-1,te=null,C.pop(),C.length>0?(x=C[C.length-1],H.setTextureUnits(x.state.textureUnits),me===!0&&je.setGlobalState(T.clippingPlanes,x.state.camera)):x=null,S.pop(),b=S.length>0?S[S.length-1]:null,D!==null&&D.renderEnd()};function Ze(e,t,n,r){if(e.visible===!1)return;if(e.layers.test(t.layers)){if(e.isGroup)n=e.renderOrder;else if(e.isLOD)e.autoUpdate===!0&&e.update(t);else if(e.isLight)x.pushLight(e),e.castShadow&&x.pushShadow(e);else if(e.isSprite){let i=t.isArrayCamera?pe:fe;if(!e.frustumCulled||e.intersectsFrustum(i)){r&&ve.setFromMatrixPosition(e.matrixWorld).applyMatrix4(ge);let i=Ee.update(e),a=e.material;a.visible&&b.push(e,i,a,n,ve.z,null,t)}}else if(e.isMesh||e.isLine||e.isPoints){let i=t.isArrayCamera?pe:fe;if(!e.frustumCulled||e.intersectsFrustum(i)){let i=Ee.update(e),a=e.material;if(r&&(e.boundingSphere===void 0?(i.boundingSphere===null&&i.computeBoundingSphere(),ve.copy(i.boundingSphere.center)):(e.boundingSphere===null&&e.computeBoundingSphere(),ve.copy(e.boundingSphere.center)),ve.applyMatrix4(e.matrixWorld).applyMatrix4(ge)),Array.isArray(a)){let r=i.groups;for(let o=0,s=r.length;o<s;o++){let s=r[o],c=a[s.materialIndex];c&&c.visible&&b.push(e,i,c,n,ve.z,s,t)}}else a.visible&&b.push(e,i,a,n,ve.z,null,t)}}}let i=e.children;for(let e=0,a=i.length;e<a;e++)Ze(i[e],t,n,r)}function Qe(e,t,n,r){let{opaque:i,transmissive:a,transparent:o}=e;x.setupLightsView(n),me===!0&&je.setGlobalState(T.clippingPlanes,n),r&&B.viewport(ne.copy(r)),i.length>0&&$e(i,t,n),a.length>0&&$e(a,t,n),o.length>0&&$e(o,t,n),B.buffers.depth.setTest(!0),B.buffers.depth.setMask(!0),B.buffers.color.setMask(!0),B.setPolygonOffset(!1)}function q(e,t,n,r){if((n.isScene===!0?n.overrideMaterial:null)!==null)return;if(x.state.transmissionRenderTarget[r.id]===void 0){let e=z.has(`EXT_color_buffer_half_float`)||z.has(`EXT_color_buffer_float`);x.state.transmissionRenderTarget[r.id]=new Of(1,1,{generateMipmaps:!0,type:e?cu:tu,minFilter:eu,samples:Math.max(4,Se.samples),stencilBuffer:i,resolveDepthBuffer:!1,resolveStencilBuffer:!1,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,colorSpace:hf.workingColorSpace})}let a=x.state.transmissionRenderTarget[r.id],o=r.viewport||ne;a.setSize(o.z*T.transmissionResolutionScale,o.w*T.transmissionResolutionScale);let s=T.getRenderTarget(),c=T.getActiveCubeFace(),l=T.getActiveMipmapLevel();T.setRenderTarget(a),T.getClearColor(F),ie=T.getClearAlpha(),ie<1&&T.setClearColor(16777215,.5),T.clear(),be&&Ne.render(n);let u=T.toneMapping;T.toneMapping=0;let d=r.viewport;if(r.viewport!==void 0&&(r.viewport=void 0),x.setupLightsView(r),me===!0&&je.setGlobalState(T.clippingPlanes,r),$e(e,n,r),H.updateMultisampleRenderTarget(a),H.updateRenderTargetMipmap(a),z.has(`WEBGL_multisampled_render_to_texture`)===!1){let e=!1;for(let i=0,a=t.length;i<a;i++){let{object:a,geometry:o,material:s,group:c}=t[i];if(s.side===2&&a.layers.test(r.layers)){let t=s.side;s.side=1,s.needsUpdate=!0,et(a,n,r,o,s,c),s.side=t,s.needsUpdate=!0,e=!0}}e===!0&&(H.updateMultisampleRenderTarget(a),H.updateRenderTargetMipmap(a))}T.setRenderTarget(s,c,l),T.setClearColor(F,ie),d!==void 0&&(r.viewport=d),T.toneMapping=u}function $e(e,t,n){let r=t.isScene===!0?t.overrideMaterial:null;for(let i=0,a=e.length;i<a;i++){let a=e[i],{object:o,geometry:s,group:c}=a,l=a.material;l.allowOverride===!0&&r!==null&&(l=r),o.layers.test(n.layers)&&et(o,t,n,s,l,c)}}function et(e,t,n,r,i,a){D!==null&&i.isNodeMaterial&&D.setObject(e,i),e.onBeforeRender(T,t,n,r,i,a),e.modelViewMatrix.multiplyMatrices(n.matrixWorldInverse,e.matrixWorld),e.normalMatrix.getNormalMatrix(e.modelViewMatrix),i.onBeforeRender(T,t,n,r,e,a),i.transparent===!0&&i.side===2&&i.forceSinglePass===!1?(i.side=1,i.needsUpdate=!0,T.renderBufferDirect(n,t,r,i,e,a),i.side=0,i.needsUpdate=!0,T.renderBufferDirect(n,t,r,i,e,a),i.side=2):T.renderBufferDirect(n,t,r,i,e,a),e.onAfterRender(T,t,n,r,i,a)}function tt(e){let t=0;for(let n of e)n.texture!==null&&t++;return t}function nt(e,t,n){t.isScene!==!0&&(t=ye);let r=V.get(e),i=x.state.lights,a=x.state.shadowsArray,o=i.state.version,s=De.getParameters(e,i.state,a,t,n,x.state.lightProbeGridArray),c=De.getProgramCacheKey(s),l=r.programs;r.environment=e.isMeshStandardMaterial||e.isMeshLambertMaterial||e.isMeshPhongMaterial?t.environment:null,r.fog=t.fog;let u=e.isMeshStandardMaterial||e.isMeshLambertMaterial&&!e.envMap||e.isMeshPhongMaterial&&!e.envMap;r.envMap=we.get(e.envMap||r.environment,u),r.envMapRotation=r.environment!==null&&e.envMap===null?t.environmentRotation:e.envMapRotation,l===void 0&&(e.addEventListener(`dispose`,He),l=new Map,r.programs=l,r.programVariants=new Map);let d=l.get(c);if(d!==void 0){if(r.currentProgram===d&&r.lightsStateVersion===o)return at(e,s),d}else s.uniforms=De.getUniforms(e),D!==null&&e.isNodeMaterial&&D.build(e,n,s),e.onBeforeCompile(s,T),d=De.acquireProgram(s,c),l.set(c,d),r.uniforms=s.uniforms;let f=r.uniforms;return(!e.isShaderMaterial&&!e.isRawShaderMaterial||e.clipping===!0)&&(f.clippingPlanes=je.uniform),at(e,s),r.needsLights=ct(e),r.lightsStateVersion=o,r.needsLights&&(f.ambientLightColor.value=i.state.ambient,f.lightProbe.value=i.state.probe,f.sunLights.value=i.state.sun,f.sunLightShadows.value=i.state.sunShadow,f.directionalLights.value=i.state.directional,f.directionalLightShadows.value=i.state.directionalShadow,f.spotLights.value=i.state.spot,f.spotLightShadows.value=i.state.spotShadow,f.rectAreaLights.value=i.state.rectArea,f.ltc_1.value=i.state.rectAreaLTC1,f.ltc_2.value=i.state.rectAreaLTC2,f.pointLights.value=i.state.point,f.pointLightShadows.value=i.state.pointShadow,f.hemisphereLights.value=i.state.hemi,f.sunShadowMatrix.value=i.state.sunShadowMatrix,f.sunShadowCascade.value=i.state.sunShadowCascade,f.directionalShadowMatrix.value=i.state.directionalShadowMatrix,f.spotLightMatrix.value=i.state.spotLightMatrix,f.spotLightMap.value=i.state.spotLightMap,f.pointShadowMatrix.value=i.state.pointShadowMatrix),r.numLightProbeGrids=tt(x.state.lightProbeGridArray),r.currentProgram=d,r.uniformsList=null,d}function rt(e,t,n,r,i){let a=V.get(e),o=a.currentProgram.id+`,`+r+`,`+i,s=a.programVariants.get(o);return s===void 0?(s=nt(e,t,n),a.programVariants.set(o,s)):(a.currentProgram=s,a.uniformsList=null,a.outputColorSpace=r,a.toneMapping=i),s}function it(e){if(e.uniformsList===null){let t=e.currentProgram.getUniforms();e.uniformsList=Yv.seqWithValue(t.seq,e.uniforms)}return e.uniformsList}function at(e,t){let n=V.get(e);n.outputColorSpace=t.outputColorSpace,n.batching=t.batching,n.batchingColor=t.batchingColor,n.instancing=t.instancing,n.instancingColor=t.instancingColor,n.instancingMorph=t.instancingMorph,n.skinning=t.skinning,n.morphTargets=t.morphTargets,n.morphNormals=t.morphNormals,n.morphColors=t.morphColors,n.morphTargetsCount=t.morphTargetsCount,n.numClippingPlanes=t.numClippingPlanes,n.numIntersection=t.numClipIntersection,n.vertexAlphas=t.vertexAlphas,n.vertexTangents=t.vertexTangents,n.toneMapping=t.toneMapping}function ot(e,t,n,r,i){t.isScene!==!0&&(t=ye),H.resetTextureUnits();let a=t.fog,o=r.isMeshStandardMaterial||r.isMeshLambertMaterial||r.isMeshPhongMaterial?t.environment:null,s=N===null?T.outputColorSpace:N.isXRRenderTarget===!0?N.texture.colorSpace:hf.workingColorSpace,c=r.isMeshStandardMaterial||r.isMeshLambertMaterial&&!r.envMap||r.isMeshPhongMaterial&&!r.envMap,l=we.get(r.envMap||o,c),u=r.vertexColors===!0&&!!n.attributes.color&&n.attributes.color.itemSize===4,d=!!n.attributes.tangent&&(!!r.normalMap||r.anisotropy>0),f=!!n.morphAttributes.position,p=!!n.morphAttributes.normal,m=!!n.morphAttributes.color,h=0;r.toneMapped&&(N===null||N.isXRRenderTarget===!0)&&(h=T.toneMapping);let g=n.morphAttributes.position||n.morphAttributes.normal||n.morphAttributes.color,_=g===void 0?0:g.length,v=V.get(r),b=x.state.lights;if(me===!0&&(he===!0||e!==te)){let t=e===te&&r.id===ee;je.setState(r,e,t)}let S=!1,C=!1;r.version===v.__version?v.needsLights&&v.lightsStateVersion!==b.state.version||i.isBatchedMesh&&v.batching===!1||!i.isBatchedMesh&&v.batching===!0||i.isBatchedMesh&&v.batchingColor===!0&&i._colorsTexture===null||i.isBatchedMesh&&v.batchingColor===!1&&i._colorsTexture!==null||i.isInstancedMesh&&v.instancing===!1||!i.isInstancedMesh&&v.instancing===!0||i.isSkinnedMesh&&v.skinning===!1||!i.isSkinnedMesh&&v.skinning===!0||i.isInstancedMesh&&v.instancingColor===!0&&i.instanceColor===null||i.isInstancedMesh&&v.instancingColor===!1&&i.instanceColor!==null||i.isInstancedMesh&&v.instancingMorph===!0&&i.morphTexture===null||i.isInstancedMesh&&v.instancingMorph===!1&&i.morphTexture!==null?S=!0:v.envMap===l?r.fog===!0&&v.fog!==a||v.numClippingPlanes!==void 0&&(v.numClippingPlanes!==je.numPlanes||v.numIntersection!==je.numIntersection)?S=!0:v.vertexAlphas===u&&v.vertexTangents===d&&v.morphTargets===f&&v.morphNormals===p&&v.morphColors===m&&v.morphTargetsCount===_&&v.numLightProbeGrids===tt(x.state.lightProbeGridArray)?(v.outputColorSpace!==s||v.toneMapping!==h)&&(C=!0):S=!0:S=!0:(S=!0,v.__version=r.version);let w=v.currentProgram;(S===!0||C===!0)&&(w=C===!0?rt(r,t,i,s,h):nt(r,t,i),D&&r.isNodeMaterial&&D.onUpdateProgram(r,w,v));let E=!1,O=!1,k=!1,A=w.getUniforms(),j=v.uniforms;if(B.useProgram(w.program)&&(E=!0,O=!0,k=!0),r.id!==ee&&(ee=r.id,O=!0),E||te!==e){B.buffers.depth.getReversed()&&e.reversedDepth!==!0&&(e._reversedDepth=!0,e.updateProjectionMatrix()),A.setValue(L,`projectionMatrix`,e.projectionMatrix),A.setValue(L,`viewMatrix`,e.matrixWorldInverse);let t=A.map.cameraPosition;t!==void 0&&t.setValue(L,_e.setFromMatrixPosition(e.matrixWorld)),Se.logarithmicDepthBuffer&&A.setValue(L,`logDepthBufFC`,2/(Math.log(e.far+1)/Math.LN2)),(r.isMeshPhongMaterial||r.isMeshToonMaterial||r.isMeshLambertMaterial||r.isMeshBasicMaterial||r.isMeshStandardMaterial||r.isShaderMaterial)&&A.setValue(L,`isOrthographic`,e.isOrthographicCamera===!0),te!==e&&(te=e,O=!0,k=!0)}if(v.needsLights&&(b.state.sunShadowMap.length>0&&A.setValue(L,`sunShadowMap`,b.state.sunShadowMap,H),b.state.directionalShadowMap.length>0&&A.setValue(L,`directionalShadowMap`,b.state.directionalShadowMap,H),b.state.spotShadowMap.length>0&&A.setValue(L,`spotShadowMap`,b.state.spotShadowMap,H),b.state.pointShadowMap.length>0&&A.setValue(L,`pointShadowMap`,b.state.pointShadowMap,H)),i.isSkinnedMesh){A.setOptional(L,i,`bindMatrix`),A.setOptional(L,i,`bindMatrixInverse`);let e=i.skeleton;e&&(e.boneTexture===null&&e.computeBoneTexture(),A.setValue(L,`boneTexture`,e.boneTexture,H))}i.isBatchedMesh&&(A.setOptional(L,i,`batchingTexture`),A.setValue(L,`batchingTexture`,i._matricesTexture,H),A.setOptional(L,i,`batchingIdTexture`),A.setValue(L,`batchingIdTexture`,i._indirectTexture,H),A.setOptional(L,i,`batchingColorTexture`),i._colorsTexture!==null&&A.setValue(L,`batchingColorTexture`,i._colorsTexture,H));let M=n.morphAttributes;if((M.position!==void 0||M.normal!==void 0||M.color!==void 0)&&Pe.update(i,n,w),(O||v.receiveShadow!==i.receiveShadow)&&(v.receiveShadow=i.receiveShadow,A.setValue(L,`receiveShadow`,i.receiveShadow)),(r.isMeshStandardMaterial||r.isMeshLambertMaterial||r.isMeshPhongMaterial)&&r.envMap===null&&t.environment!==null&&(j.envMapIntensity.value=t.environmentIntensity),j.dfgLUT!==void 0&&(j.dfgLUT.value=fb()),O){if(A.setValue(L,`toneMappingExposure`,T.toneMappingExposure),v.needsLights&&st(j,k),a&&r.fog===!0&&Oe.refreshFogUniforms(j,a),Oe.refreshMaterialUniforms(j,r,I,oe,x.state.transmissionRenderTarget[e.id]),v.needsLights&&v.numLightProbeGrids>0){let e=y,t=0;for(let n of x.state.lightProbeGridArray)n.texture!==null&&(e.textures[t]=n.texture,e.min[t]=n.boundingBox.min,e.max[t]=n.boundingBox.max,e.resolution[t]=n.resolution,t++);for(let n in e)e[n].length=t;j.probesSH.value=e.textures,j.probesMin.value=e.min,j.probesMax.value=e.max,j.probesResolution.value=e.resolution}Yv.upload(L,it(v),j,H)}if(r.isShaderMaterial&&r.uniformsNeedUpdate===!0&&(Yv.upload(L,it(v),j,H),r.uniformsNeedUpdate=!1),r.isSpriteMaterial&&A.setValue(L,`center`,i.center),A.setValue(L,`modelViewMatrix`,i.modelViewMatrix),A.setValue(L,`normalMatrix`,i.normalMatrix),A.setValue(L,`modelMatrix`,i.matrixWorld),r.uniformsGroups!==void 0){let e=r.uniformsGroups;for(let t=0,n=e.length;t<n;t++){let n=e[t];Re.update(n,w),Re.bind(n,w)}}return w}function st(e,t){e.ambientLightColor.needsUpdate=t,e.lightProbe.needsUpdate=t,e.sunLights.needsUpdate=t,e.sunLightShadows.needsUpdate=t,e.directionalLights.needsUpdate=t,e.directionalLightShadows.needsUpdate=t,e.pointLights.needsUpdate=t,e.pointLightShadows.needsUpdate=t,e.spotLights.needsUpdate=t,e.spotLightShadows.needsUpdate=t,e.rectAreaLights.needsUpdate=t,e.hemisphereLights.needsUpdate=t}function ct(e){return e.isMeshLambertMaterial||e.isMeshToonMaterial||e.isMeshPhongMaterial||e.isMeshStandardMaterial||e.isShadowMaterial||e.isShaderMaterial&&e.lights===!0}this.getActiveCubeFace=function(){return j},this.getActiveMipmapLevel=function(){return M},this.getRenderTarget=function(){return N},this.setRenderTargetTextures=function(e,t,n){let r=V.get(e);r.__autoAllocateDepthBuffer=e.resolveDepthBuffer===!1,r.__autoAllocateDepthBuffer===!1&&(r.__useRenderToTexture=!1),V.get(e.texture).__webglTexture=t,V.get(e.depthTexture).__webglTexture=r.__autoAllocateDepthBuffer?void 0:n,r.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(e,t){let n=V.get(e);n.__webglFramebuffer=t,n.__useDefaultFramebuffer=t===void 0},this.setRenderTarget=function(e,t=0,n=0){N=e,j=t,M=n;let r=null,i=!1,a=!1;if(e){let o=V.get(e);if(o.__useDefaultFramebuffer!==void 0){B.bindFramebuffer(L.FRAMEBUFFER,o.__webglFramebuffer),ne.copy(e.viewport),P.copy(e.scissor),re=e.scissorTest,B.viewport(ne),B.scissor(P),B.setScissorTest(re),ee=-1;return}if(o.__webglFramebuffer===void 0)H.setupRenderTarget(e);else if(o.__hasExternalTextures)H.rebindTextures(e,V.get(e.texture).__webglTexture,V.get(e.depthTexture).__webglTexture);else if(e.depthBuffer){let t=e.depthTexture;if(o.__boundDepthTexture!==t){if(t!==null&&V.has(t)&&(e.width!==t.image.width||e.height!==t.image.height))throw Error(`THREE.WebGLRenderer: Attached DepthTexture is initialized to the incorrect size.`);H.setupDepthRenderbuffer(e)}}let s=e.texture;(s.isData3DTexture||s.isDataArrayTexture||s.isCompressedArrayTexture)&&(a=!0);let c=V.get(e).__webglFramebuffer;e.isWebGLCubeRenderTarget?(r=Array.isArray(c[t])?c[t][n]:c[t],i=!0):r=e.samples>0&&H.useMultisampledRTT(e)===!1?V.get(e).__webglMultisampledFramebuffer:Array.isArray(c)?c[n]:c,ne.copy(e.viewport),P.copy(e.scissor),re=e.scissorTest}else ne.copy(le).multiplyScalar(I).floor(),P.copy(ue).multiplyScalar(I).floor(),re=de;if(n!==0&&(r=O),B.bindFramebuffer(L.FRAMEBUFFER,r)&&B.drawBuffers(e,r),B.viewport(ne),B.scissor(P),B.setScissorTest(re),i){let r=V.get(e.texture);L.framebufferTexture2D(L.FRAMEBUFFER,L.COLOR_ATTACHMENT0,L.TEXTURE_CUBE_MAP_POSITIVE_X+t,r.__webglTexture,n)}else if(a){let r=t;for(let t=0;t<e.textures.length;t++){let i=V.get(e.textures[t]);L.framebufferTextureLayer(L.FRAMEBUFFER,L.COLOR_ATTACHMENT0+t,i.__webglTexture,n,r)}}else if(e!==null&&n!==0){let t=V.get(e.texture);L.framebufferTexture2D(L.FRAMEBUFFER,L.COLOR_ATTACHMENT0,L.TEXTURE_2D,t.__webglTexture,n)}ee=-1};function lt(e){let t=V.get(e);return(t.__readFormat!==e.format||t.__readType!==e.type)&&(t.__readFormat=e.format,t.__readType=e.type,t.__formatReadable=Se.textureFormatReadable(e.format),t.__typeReadable=Se.textureTypeReadable(e.type)),t}this.readRenderTargetPixels=function(e,t,n,r,i,a,o,s=0){if(!(e&&e.isWebGLRenderTarget)){Y(`WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.`);return}let c=V.get(e).__webglFramebuffer;if(e.isWebGLCubeRenderTarget&&o!==void 0&&(c=c[o],Array.isArray(c)&&(c=c[0])),c){B.bindFramebuffer(L.FRAMEBUFFER,c);try{let o=e.textures[s],c=o.format,l=o.type;e.textures.length>1&&L.readBuffer(L.COLOR_ATTACHMENT0+s);let u=lt(o);if(u.__formatReadable===!1){Y(`WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.`);return}if(u.__typeReadable===!1){Y(`WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.`);return}t>=0&&t<=e.width-r&&n>=0&&n<=e.height-i&&L.readPixels(t,n,r,i,Ie.convert(c),Ie.convert(l),a)}finally{let e=N===null?null:V.get(N).__webglFramebuffer;B.bindFramebuffer(L.FRAMEBUFFER,e)}}},this.readRenderTargetPixelsAsync=async function(e,t,n,r,i,a,o,s=0){if(!(e&&e.isWebGLRenderTarget))throw Error(`THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.`);let c=V.get(e).__webglFramebuffer;if(e.isWebGLCubeRenderTarget&&o!==void 0&&(c=c[o],Array.isArray(c)&&(c=c[0])),c){if(t>=0&&t<=e.width-r&&n>=0&&n<=e.height-i){B.bindFramebuffer(L.FRAMEBUFFER,c);let o=e.textures[s],l=o.format,u=o.type;e.textures.length>1&&L.readBuffer(L.COLOR_ATTACHMENT0+s);let d=lt(o);if(d.__formatReadable===!1)throw Error(`THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.`);if(d.__typeReadable===!1)throw Error(`THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.`);let f=L.createBuffer();L.bindBuffer(L.PIXEL_PACK_BUFFER,f),L.bufferData(L.PIXEL_PACK_BUFFER,a.byteLength,L.STREAM_READ),L.readPixels(t,n,r,i,Ie.convert(l),Ie.convert(u),0),L.bindBuffer(L.PIXEL_PACK_BUFFER,null);let p=N===null?null:V.get(N).__webglFramebuffer;B.bindFramebuffer(L.FRAMEBUFFER,p);let m=L.fenceSync(L.SYNC_GPU_COMMANDS_COMPLETE,0);return L.flush(),await kd(L,m,4),L.bindBuffer(L.PIXEL_PACK_BUFFER,f),L.getBufferSubData(L.PIXEL_PACK_BUFFER,0,a),L.bindBuffer(L.PIXEL_PACK_BUFFER,null),L.deleteBuffer(f),L.deleteSync(m),a}throw Error(`THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.`)}},this.copyFramebufferToTexture=function(e,t=null,n=0){let r=2**-n,i=Math.floor(e.image.width*r),a=Math.floor(e.image.height*r),o=t===null?0:t.x,s=t===null?0:t.y;H.setTexture2D(e,0),L.copyTexSubImage2D(L.TEXTURE_2D,n,0,0,o,s,i,a),B.unbindTexture()},this.copyTextureToTexture=function(e,t,n=null,r=null,i=0,a=0){let o,s,c,l,u,d,f,p,m,h=e.isCompressedTexture?e.mipmaps[a]:e.image;if(n!==null)o=n.max.x-n.min.x,s=n.max.y-n.min.y,c=n.isBox3?n.max.z-n.min.z:1,l=n.min.x,u=n.min.y,d=n.isBox3?n.min.z:0;else{let t=2**-i;o=Math.floor(h.width*t),s=Math.floor(h.height*t),c=e.isDataArrayTexture?h.depth:e.isData3DTexture?Math.floor(h.depth*t):1,l=0,u=0,d=0}r===null?(f=0,p=0,m=0):(f=r.x,p=r.y,m=r.z);let g=Ie.convert(t.format),_=Ie.convert(t.type),v;t.isData3DTexture?(H.setTexture3D(t,0),v=L.TEXTURE_3D):t.isDataArrayTexture||t.isCompressedArrayTexture?(H.setTexture2DArray(t,0),v=L.TEXTURE_2D_ARRAY):(H.setTexture2D(t,0),v=L.TEXTURE_2D),B.activeTexture(L.TEXTURE0),B.pixelStorei(L.UNPACK_FLIP_Y_WEBGL,t.flipY),B.pixelStorei(L.UNPACK_PREMULTIPLY_ALPHA_WEBGL,t.premultiplyAlpha),B.pixelStorei(L.UNPACK_ALIGNMENT,t.unpackAlignment);let y=B.getParameter(L.UNPACK_ROW_LENGTH),b=B.getParameter(L.UNPACK_IMAGE_HEIGHT),x=B.getParameter(L.UNPACK_SKIP_PIXELS),S=B.getParameter(L.UNPACK_SKIP_ROWS),C=B.getParameter(L.UNPACK_SKIP_IMAGES);B.pixelStorei(L.UNPACK_ROW_LENGTH,h.width),B.pixelStorei(L.UNPACK_IMAGE_HEIGHT,h.height),B.pixelStorei(L.UNPACK_SKIP_PIXELS,l),B.pixelStorei(L.UNPACK_SKIP_ROWS,u),B.pixelStorei(L.UNPACK_SKIP_IMAGES,d);let w=e.isDataArrayTexture||e.isData3DTexture,T=t.isDataArrayTexture||t.isData3DTexture;if(e.isDepthTexture){let n=V.get(e),r=V.get(t),h=V.get(n.__renderTarget),g=V.get(r.__renderTarget);B.bindFramebuffer(L.READ_FRAMEBUFFER,h.__webglFramebuffer),B.bindFramebuffer(L.DRAW_FRAMEBUFFER,g.__webglFramebuffer);for(let n=0;n<c;n++)w&&(L.framebufferTextureLayer(L.READ_FRAMEBUFFER,L.COLOR_ATTACHMENT0,V.get(e).__webglTexture,i,d+n),L.framebufferTextureLayer(L.DRAW_FRAMEBUFFER,L.COLOR_ATTACHMENT0,V.get(t).__webglTexture,a,m+n)),L.blitFramebuffer(l,u,l+o,u+s,f,p,f+o,p+s,L.DEPTH_BUFFER_BIT,L.NEAREST);B.bindFramebuffer(L.READ_FRAMEBUFFER,null),B.bindFramebuffer(L.DRAW_FRAMEBUFFER,null)}else if(i!==0||e.isRenderTargetTexture||V.has(e)){let n=V.get(e),r=V.get(t);B.bindFramebuffer(L.READ_FRAMEBUFFER,k),B.bindFramebuffer(L.DRAW_FRAMEBUFFER,A);for(let e=0;e<c;e++)w?L.framebufferTextureLayer(L.READ_FRAMEBUFFER,L.COLOR_ATTACHMENT0,n.__webglTexture,i,d+e):L.framebufferTexture2D(L.READ_FRAMEBUFFER,L.COLOR_ATTACHMENT0,L.TEXTURE_2D,n.__webglTexture,i),T?L.framebufferTextureLayer(L.DRAW_FRAMEBUFFER,L.COLOR_ATTACHMENT0,r.__webglTexture,a,m+e):L.framebufferTexture2D(L.DRAW_FRAMEBUFFER,L.COLOR_ATTACHMENT0,L.TEXTURE_2D,r.__webglTexture,a),i===0?T?L.copyTexSubImage3D(v,a,f,p,m+e,l,u,o,s):L.copyTexSubImage2D(v,a,f,p,l,u,o,s):L.blitFramebuffer(l,u,l+o,u+s,f,p,f+o,p+s,L.COLOR_BUFFER_BIT,L.NEAREST);B.bindFramebuffer(L.READ_FRAMEBUFFER,null),B.bindFramebuffer(L.DRAW_FRAMEBUFFER,null)}else T?e.isDataTexture||e.isData3DTexture?L.texSubImage3D(v,a,f,p,m,o,s,c,g,_,h.data):t.isCompressedArrayTexture?L.compressedTexSubImage3D(v,a,f,p,m,o,s,c,g,h.data):L.texSubImage3D(v,a,f,p,m,o,s,c,g,_,h):e.isDataTexture?L.texSubImage2D(L.TEXTURE_2D,a,f,p,o,s,g,_,h.data):e.isCompressedTexture?L.compressedTexSubImage2D(L.TEXTURE_2D,a,f,p,h.width,h.height,g,h.data):L.texSubImage2D(L.TEXTURE_2D,a,f,p,o,s,g,_,h);B.pixelStorei(L.UNPACK_ROW_LENGTH,y),B.pixelStorei(L.UNPACK_IMAGE_HEIGHT,b),B.pixelStorei(L.UNPACK_SKIP_PIXELS,x),B.pixelStorei(L.UNPACK_SKIP_ROWS,S),B.pixelStorei(L.UNPACK_SKIP_IMAGES,C),a===0&&t.generateMipmaps===!0&&t.mipmapsAutoUpdate===!0&&L.generateMipmap(v),B.unbindTexture()},this.initRenderTarget=function(e){V.get(e).__webglFramebuffer===void 0&&H.setupRenderTarget(e)},this.initTexture=function(e){e.isCubeTexture?H.setTextureCube(e,0):e.isData3DTexture?H.setTexture3D(e,0):e.isDataArrayTexture||e.isCompressedArrayTexture?H.setTexture2DArray(e,0):H.setTexture2D(e,0),B.unbindTexture()},this.resetState=function(){j=0,M=0,N=null,B.reset(),Le.reset()},typeof __THREE_DEVTOOLS__<`u`&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent(`observe`,{detail:this}))}get coordinateSystem(){return bd}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(e){this._outputColorSpace=e;let t=this.getContext();t.drawingBufferColorSpace=hf._getDrawingBufferColorSpace(e),t.unpackColorSpace=hf._getUnpackColorSpace()}},mb=new Ah(1,1,1,16).rotateX(Math.PI/2).translate(0,0,.5),hb=new jh(1,1,22).rotateX(Math.PI/2).translate(0,0,.5),gb=new Z(0,0,1),_b=class{most;width;root=new ap;shafts;heads;material;count=0;constructor(e,t,n=.011){this.most=e,this.width=n,this.material=new Kh({color:t,roughness:.4,emissive:t,emissiveIntensity:.45,depthTest:!1,transparent:!0,opacity:.95}),this.shafts=new rh(mb,this.material,e),this.heads=new rh(hb,this.material,e);for(let e of[this.shafts,this.heads])e.frustumCulled=!1,e.count=0,e.renderOrder=5,this.root.add(e)}paint(e){this.material.color.set(e),this.material.emissive.set(e)}clear(){this.count=this.shafts.count=this.heads.count=0}add(e,t){let n=t.length(),r=Math.min(5.2*this.width,.45*n);if(this.count>=this.most||n<2.5*this.width)return;let i=t.clone().divideScalar(n),a=new sf().setFromUnitVectors(gb,i),o=new jf;this.shafts.setMatrixAt(this.count,o.compose(e,a,new Z(this.width,this.width,n-r))),this.heads.setMatrixAt(this.count,o.compose(e.clone().addScaledVector(i,n-r),a,new Z(2.5*this.width,2.5*this.width,r))),this.shafts.count=this.heads.count=++this.count,this.shafts.instanceMatrix.needsUpdate=this.heads.instanceMatrix.needsUpdate=!0}},vb={type:`change`},yb={type:`start`},bb={type:`end`},xb=new vm,Sb=new dm,Cb=Math.cos(70*of.DEG2RAD),wb=new Z,Tb=2*Math.PI,Eb={NONE:-1,ROTATE:0,DOLLY:1,PAN:2,TOUCH_ROTATE:3,TOUCH_PAN:4,TOUCH_DOLLY_PAN:5,TOUCH_DOLLY_ROTATE:6},Db=1e-6,Ob=class extends e_{constructor(e,t=null){super(e,t),this.state=Eb.NONE,this.target=new Z,this.cursor=new Z,this.minDistance=0,this.maxDistance=1/0,this.minZoom=0,this.maxZoom=1/0,this.minTargetRadius=0,this.maxTargetRadius=1/0,this.minPolarAngle=0,this.maxPolarAngle=Math.PI,this.minAzimuthAngle=-1/0,this.maxAzimuthAngle=1/0,this.enableDamping=!1,this.dampingFactor=.05,this.enableZoom=!0,this.zoomSpeed=1,this.enableRotate=!0,this.rotateSpeed=1,this.keyRotateSpeed=1,this.enablePan=!0,this.panSpeed=1,this.screenSpacePanning=!0,this.keyPanSpeed=7,this.zoomToCursor=!1,this.autoRotate=!1,this.autoRotateSpeed=2,this.keys={LEFT:`ArrowLeft`,UP:`ArrowUp`,RIGHT:`ArrowRight`,BOTTOM:`ArrowDown`},this.mouseButtons={LEFT:Ul.ROTATE,MIDDLE:Ul.DOLLY,RIGHT:Ul.PAN},this.touches={ONE:Wl.ROTATE,TWO:Wl.DOLLY_PAN},this.target0=this.target.clone(),this.position0=this.object.position.clone(),this.zoom0=this.object.zoom,this._cursorStyle=`auto`,this._domElementKeyEvents=null,this._lastPosition=new Z,this._lastQuaternion=new sf,this._lastTargetPosition=new Z,this._quat=new sf().setFromUnitVectors(e.up,new Z(0,1,0)),this._quatInverse=this._quat.clone().invert(),this._spherical=new $g,this._sphericalDelta=new $g,this._scale=1,this._panOffset=new Z,this._rotateStart=new X,this._rotateEnd=new X,this._rotateDelta=new X,this._panStart=new X,this._panEnd=new X,this._panDelta=new X,this._dollyStart=new X,this._dollyEnd=new X,this._dollyDelta=new X,this._dollyDirection=new Z,this._mouse=new X,this._performCursorZoom=!1,this._pointers=[],this._pointerPositions={},this._controlActive=!1,this._onPointerMove=Ab.bind(this),this._onPointerDown=kb.bind(this),this._onPointerUp=jb.bind(this),this._onContextMenu=Rb.bind(this),this._onMouseWheel=Pb.bind(this),this._onKeyDown=Fb.bind(this),this._onTouchStart=Ib.bind(this),this._onTouchMove=Lb.bind(this),this._onMouseDown=Mb.bind(this),this._onMouseMove=Nb.bind(this),this._interceptControlDown=zb.bind(this),this._interceptControlUp=Bb.bind(this),this.domElement!==null&&this.connect(this.domElement),this.update()}set cursorStyle(e){this._cursorStyle=e,e===`grab`?this.domElement.style.cursor=`grab`:this.domElement.style.cursor=`auto`}get cursorStyle(){return this._cursorStyle}connect(e){super.connect(e),this.domElement.addEventListener(`pointerdown`,this._onPointerDown),this.domElement.addEventListener(`pointercancel`,this._onPointerUp),this.domElement.addEventListener(`contextmenu`,this._onContextMenu),this.domElement.addEventListener(`wheel`,this._onMouseWheel,{passive:!1}),this.domElement.ownerDocument.addEventListener(`keydown`,this._interceptControlDown,{passive:!0,capture:!0}),this.domElement.style.touchAction=`none`}disconnect(){this.state=Eb.NONE,this.domElement.removeEventListener(`pointerdown`,this._onPointerDown),this.domElement.ownerDocument.removeEventListener(`pointermove`,this._onPointerMove),this.domElement.ownerDocument.removeEventListener(`pointerup`,this._onPointerUp),this.domElement.removeEventListener(`pointercancel`,this._onPointerUp),this.domElement.removeEventListener(`wheel`,this._onMouseWheel),this.domElement.removeEventListener(`contextmenu`,this._onContextMenu),this.stopListenToKeyEvents(),this.domElement.ownerDocument.removeEventListener(`keydown`,this._interceptControlDown,{capture:!0}),this.domElement.ownerDocument.removeEventListener(`keyup`,this._interceptControlUp,{capture:!0}),this._controlActive=!1,this._pointers.length=0,this._pointerPositions={},this.domElement.style.touchAction=``,this.domElement.style.cursor=`auto`}dispose(){this.disconnect()}getPolarAngle(){return this._spherical.phi}getAzimuthalAngle(){return this._spherical.theta}getDistance(){return this.object.position.distanceTo(this.target)}listenToKeyEvents(e){e.addEventListener(`keydown`,this._onKeyDown),this._domElementKeyEvents=e}stopListenToKeyEvents(){this._domElementKeyEvents!==null&&(this._domElementKeyEvents.removeEventListener(`keydown`,this._onKeyDown),this._domElementKeyEvents=null)}saveState(){this.target0.copy(this.target),this.position0.copy(this.object.position),this.zoom0=this.object.zoom}reset(){this.target.copy(this.target0),this.object.position.copy(this.position0),this.object.zoom=this.zoom0,this.object.updateProjectionMatrix(),this.dispatchEvent(vb),this.update(),this.state=Eb.NONE}pan(e,t){this._pan(e,t),this.update()}dollyIn(e){this._dollyIn(e),this.update()}dollyOut(e){this._dollyOut(e),this.update()}rotateLeft(e){this._rotateLeft(e),this.update()}rotateUp(e){this._rotateUp(e),this.update()}update(e=null){let t=this.object.position;wb.copy(t).sub(this.target),wb.applyQuaternion(this._quat),this._spherical.setFromVector3(wb),this.autoRotate&&this.state===Eb.NONE&&this._rotateLeft(this._getAutoRotationAngle(e)),this.enableDamping?(this._spherical.theta+=this._sphericalDelta.theta*this.dampingFactor,this._spherical.phi+=this._sphericalDelta.phi*this.dampingFactor):(this._spherical.theta+=this._sphericalDelta.theta,this._spherical.phi+=this._sphericalDelta.phi);let n=this.minAzimuthAngle,r=this.maxAzimuthAngle;isFinite(n)&&isFinite(r)&&(n<-Math.PI?n+=Tb:n>Math.PI&&(n-=Tb),r<-Math.PI?r+=Tb:r>Math.PI&&(r-=Tb),n<=r?this._spherical.theta=Math.max(n,Math.min(r,this._spherical.theta)):this._spherical.theta=this._spherical.theta>(n+r)/2?Math.max(n,this._spherical.theta):Math.min(r,this._spherical.theta)),this._spherical.phi=Math.max(this.minPolarAngle,Math.min(this.maxPolarAngle,this._spherical.phi)),this._spherical.makeSafe(),this.enableDamping===!0?this.target.addScaledVector(this._panOffset,this.dampingFactor):this.target.add(this._panOffset),this.target.sub(this.cursor),this.target.clampLength(this.minTargetRadius,this.maxTargetRadius),this.target.add(this.cursor);let i=!1;if(this.zoomToCursor&&this._performCursorZoom||this.object.isOrthographicCamera)this._spherical.radius=this._clampDistance(this._spherical.radius);else{let e=this._spherical.radius;this._spherical.radius=this._clampDistance(this._spherical.radius*this._scale),i=e!=this._spherical.radius}if(wb.setFromSpherical(this._spherical),wb.applyQuaternion(this._quatInverse),t.copy(this.target).add(wb),this.object.lookAt(this.target),this.enableDamping===!0?(this._sphericalDelta.theta*=1-this.dampingFactor,this._sphericalDelta.phi*=1-this.dampingFactor,this._panOffset.multiplyScalar(1-this.dampingFactor)):(this._sphericalDelta.set(0,0,0),this._panOffset.set(0,0,0)),this.zoomToCursor&&this._performCursorZoom){let e=null;if(this.object.isPerspectiveCamera){let t=wb.length();e=this._clampDistance(t*this._scale);let n=t-e;this.object.position.addScaledVector(this._dollyDirection,n),this.object.updateMatrixWorld(),i=!!n}else if(this.object.isOrthographicCamera){let t=new Z(this._mouse.x,this._mouse.y,0);t.unproject(this.object);let n=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),this.object.updateProjectionMatrix(),i=n!==this.object.zoom;let r=new Z(this._mouse.x,this._mouse.y,0);r.unproject(this.object),this.object.position.sub(r).add(t),this.object.updateMatrixWorld(),e=wb.length()}else console.warn(`WARNING: OrbitControls.js encountered an unknown camera type - zoom to cursor disabled.`),this.zoomToCursor=!1;e!==null&&(this.screenSpacePanning?this.target.set(0,0,-1).transformDirection(this.object.matrix).multiplyScalar(e).add(this.object.position):(xb.origin.copy(this.object.position),xb.direction.set(0,0,-1).transformDirection(this.object.matrix),Math.abs(this.object.up.dot(xb.direction))<Cb?this.object.lookAt(this.target):(Sb.setFromNormalAndCoplanarPoint(this.object.up,this.target),xb.intersectPlane(Sb,this.target))))}else if(this.object.isOrthographicCamera){let e=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),e!==this.object.zoom&&(this.object.updateProjectionMatrix(),i=!0)}return this._scale=1,this._performCursorZoom=!1,i||this._lastPosition.distanceToSquared(this.object.position)>Db||8*(1-this._lastQuaternion.dot(this.object.quaternion))>Db||this._lastTargetPosition.distanceToSquared(this.target)>Db?(this.dispatchEvent(vb),this._lastPosition.copy(this.object.position),this._lastQuaternion.copy(this.object.quaternion),this._lastTargetPosition.copy(this.target),!0):!1}_getAutoRotationAngle(e){return e===null?Tb/60/60*this.autoRotateSpeed:Tb/60*this.autoRotateSpeed*e}_getZoomScale(e){let t=Math.abs(e*.01);return .95**(this.zoomSpeed*t)}_rotateLeft(e){this._sphericalDelta.theta-=e}_rotateUp(e){this._sphericalDelta.phi-=e}_panLeft(e,t){wb.setFromMatrixColumn(t,0),wb.multiplyScalar(-e),this._panOffset.add(wb)}_panUp(e,t){this.screenSpacePanning===!0?wb.setFromMatrixColumn(t,1):(wb.setFromMatrixColumn(t,0),wb.crossVectors(this.object.up,wb)),wb.multiplyScalar(e),this._panOffset.add(wb)}_pan(e,t){let n=this.domElement;if(this.object.isPerspectiveCamera){let r=this.object.position;wb.copy(r).sub(this.target);let i=wb.length();i*=Math.tan(this.object.fov/2*Math.PI/180),this._panLeft(2*e*i/n.clientHeight,this.object.matrix),this._panUp(2*t*i/n.clientHeight,this.object.matrix)}else this.object.isOrthographicCamera?(this._panLeft(e*(this.object.right-this.object.left)/this.object.zoom/n.clientWidth,this.object.matrix),this._panUp(t*(this.object.top-this.object.bottom)/this.object.zoom/n.clientHeight,this.object.matrix)):(console.warn(`WARNING: OrbitControls.js encountered an unknown camera type - pan disabled.`),this.enablePan=!1)}_dollyOut(e){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale/=e:(console.warn(`WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled.`),this.enableZoom=!1)}_dollyIn(e){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale*=e:(console.warn(`WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled.`),this.enableZoom=!1)}_updateZoomParameters(e,t){if(!this.zoomToCursor)return;this._performCursorZoom=!0;let n=this.domElement.getBoundingClientRect(),r=e-n.left,i=t-n.top,a=n.width,o=n.height;this._mouse.x=r/a*2-1,this._mouse.y=-(i/o)*2+1,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()}_clampDistance(e){return Math.max(this.minDistance,Math.min(this.maxDistance,e))}_handleMouseDownRotate(e){this._rotateStart.set(e.clientX,e.clientY)}_handleMouseDownDolly(e){this._updateZoomParameters(e.clientX,e.clientY),this._dollyStart.set(e.clientX,e.clientY)}_handleMouseDownPan(e){this._panStart.set(e.clientX,e.clientY)}_handleMouseMoveRotate(e){this._rotateEnd.set(e.clientX,e.clientY),this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let t=this.domElement;this._rotateLeft(Tb*this._rotateDelta.x/t.clientHeight),this._rotateUp(Tb*this._rotateDelta.y/t.clientHeight),this._rotateStart.copy(this._rotateEnd),this.update()}_handleMouseMoveDolly(e){this._dollyEnd.set(e.clientX,e.clientY),this._dollyDelta.subVectors(this._dollyEnd,this._dollyStart),this._dollyDelta.y>0?this._dollyOut(this._getZoomScale(this._dollyDelta.y)):this._dollyDelta.y<0&&this._dollyIn(this._getZoomScale(this._dollyDelta.y)),this._dollyStart.copy(this._dollyEnd),this.zoomToCursor&&(this._performCursorZoom=!0,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()),this.update()}_handleMouseMovePan(e){this._panEnd.set(e.clientX,e.clientY),this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd),this.update()}_handleMouseWheel(e){this._updateZoomParameters(e.clientX,e.clientY),e.deltaY<0?this._dollyIn(this._getZoomScale(e.deltaY)):e.deltaY>0&&this._dollyOut(this._getZoomScale(e.deltaY)),this.update()}_handleKeyDown(e){let t=!1;switch(e.code){case this.keys.UP:e.ctrlKey||e.metaKey||e.shiftKey?this.enableRotate&&this._rotateUp(Tb*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,this.keyPanSpeed),t=!0;break;case this.keys.BOTTOM:e.ctrlKey||e.metaKey||e.shiftKey?this.enableRotate&&this._rotateUp(-Tb*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,-this.keyPanSpeed),t=!0;break;case this.keys.LEFT:e.ctrlKey||e.metaKey||e.shiftKey?this.enableRotate&&this._rotateLeft(Tb*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(this.keyPanSpeed,0),t=!0;break;case this.keys.RIGHT:e.ctrlKey||e.metaKey||e.shiftKey?this.enableRotate&&this._rotateLeft(-Tb*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(-this.keyPanSpeed,0),t=!0}t&&(e.preventDefault(),this.update())}_handleTouchStartRotate(e){if(this._pointers.length===1)this._rotateStart.set(e.pageX,e.pageY);else{let t=this._getSecondPointerPosition(e),n=.5*(e.pageX+t.x),r=.5*(e.pageY+t.y);this._rotateStart.set(n,r)}}_handleTouchStartPan(e){if(this._pointers.length===1)this._panStart.set(e.pageX,e.pageY);else{let t=this._getSecondPointerPosition(e),n=.5*(e.pageX+t.x),r=.5*(e.pageY+t.y);this._panStart.set(n,r)}}_handleTouchStartDolly(e){let t=this._getSecondPointerPosition(e),n=e.pageX-t.x,r=e.pageY-t.y,i=Math.sqrt(n*n+r*r);this._dollyStart.set(0,i)}_handleTouchStartDollyPan(e){this.enableZoom&&this._handleTouchStartDolly(e),this.enablePan&&this._handleTouchStartPan(e)}_handleTouchStartDollyRotate(e){this.enableZoom&&this._handleTouchStartDolly(e),this.enableRotate&&this._handleTouchStartRotate(e)}_handleTouchMoveRotate(e){if(this._pointers.length==1)this._rotateEnd.set(e.pageX,e.pageY);else{let t=this._getSecondPointerPosition(e),n=.5*(e.pageX+t.x),r=.5*(e.pageY+t.y);this._rotateEnd.set(n,r)}this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let t=this.domElement;this._rotateLeft(Tb*this._rotateDelta.x/t.clientHeight),this._rotateUp(Tb*this._rotateDelta.y/t.clientHeight),this._rotateStart.copy(this._rotateEnd)}_handleTouchMovePan(e){if(this._pointers.length===1)this._panEnd.set(e.pageX,e.pageY);else{let t=this._getSecondPointerPosition(e),n=.5*(e.pageX+t.x),r=.5*(e.pageY+t.y);this._panEnd.set(n,r)}this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd)}_handleTouchMoveDolly(e){let t=this._getSecondPointerPosition(e),n=e.pageX-t.x,r=e.pageY-t.y,i=Math.sqrt(n*n+r*r);this._dollyEnd.set(0,i),this._dollyDelta.set(0,(this._dollyEnd.y/this._dollyStart.y)**+this.zoomSpeed),this._dollyOut(this._dollyDelta.y),this._dollyStart.copy(this._dollyEnd);let a=(e.pageX+t.x)*.5,o=(e.pageY+t.y)*.5;this._updateZoomParameters(a,o)}_handleTouchMoveDollyPan(e){this.enableZoom&&this._handleTouchMoveDolly(e),this.enablePan&&this._handleTouchMovePan(e)}_handleTouchMoveDollyRotate(e){this.enableZoom&&this._handleTouchMoveDolly(e),this.enableRotate&&this._handleTouchMoveRotate(e)}_addPointer(e){this._pointers.push(e.pointerId)}_removePointer(e){delete this._pointerPositions[e.pointerId];for(let t=0;t<this._pointers.length;t++)if(this._pointers[t]==e.pointerId){this._pointers.splice(t,1);return}}_isTrackingPointer(e){for(let t=0;t<this._pointers.length;t++)if(this._pointers[t]==e.pointerId)return!0;return!1}_trackPointer(e){let t=this._pointerPositions[e.pointerId];t===void 0&&(t=new X,this._pointerPositions[e.pointerId]=t),t.set(e.pageX,e.pageY)}_getSecondPointerPosition(e){let t=e.pointerId===this._pointers[0]?this._pointers[1]:this._pointers[0];return this._pointerPositions[t]}_customWheelEvent(e){let t=e.deltaMode,n={clientX:e.clientX,clientY:e.clientY,deltaY:e.deltaY};switch(t){case 1:n.deltaY*=16;break;case 2:n.deltaY*=100}return e.ctrlKey&&!this._controlActive&&(n.deltaY*=10),n}};function kb(e){this.enabled!==!1&&(this._pointers.length===0&&(this.domElement.setPointerCapture(e.pointerId),this.domElement.ownerDocument.addEventListener(`pointermove`,this._onPointerMove),this.domElement.ownerDocument.addEventListener(`pointerup`,this._onPointerUp)),!this._isTrackingPointer(e)&&(this._addPointer(e),e.pointerType===`touch`?this._onTouchStart(e):this._onMouseDown(e),this._cursorStyle===`grab`&&(this.domElement.style.cursor=`grabbing`)))}function Ab(e){this.enabled!==!1&&(e.pointerType===`touch`?this._onTouchMove(e):this._onMouseMove(e))}function jb(e){switch(this._removePointer(e),this._pointers.length){case 0:this.domElement.releasePointerCapture(e.pointerId),this.domElement.ownerDocument.removeEventListener(`pointermove`,this._onPointerMove),this.domElement.ownerDocument.removeEventListener(`pointerup`,this._onPointerUp),this.dispatchEvent(bb),this.state=Eb.NONE,this._cursorStyle===`grab`&&(this.domElement.style.cursor=`grab`);break;case 1:let t=this._pointers[0],n=this._pointerPositions[t];this._onTouchStart({pointerId:t,pageX:n.x,pageY:n.y})}}function Mb(e){let t;switch(e.button){case 0:t=this.mouseButtons.LEFT;break;case 1:t=this.mouseButtons.MIDDLE;break;case 2:t=this.mouseButtons.RIGHT;break;default:t=-1}switch(t){case Ul.DOLLY:if(this.enableZoom===!1)return;this._handleMouseDownDolly(e),this.state=Eb.DOLLY;break;case Ul.ROTATE:if(e.ctrlKey||e.metaKey||e.shiftKey){if(this.enablePan===!1)return;this._handleMouseDownPan(e),this.state=Eb.PAN}else{if(this.enableRotate===!1)return;this._handleMouseDownRotate(e),this.state=Eb.ROTATE}break;case Ul.PAN:if(e.ctrlKey||e.metaKey||e.shiftKey){if(this.enableRotate===!1)return;this._handleMouseDownRotate(e),this.state=Eb.ROTATE}else{if(this.enablePan===!1)return;this._handleMouseDownPan(e),this.state=Eb.PAN}break;default:this.state=Eb.NONE}this.state!==Eb.NONE&&this.dispatchEvent(yb)}function Nb(e){switch(this.state){case Eb.ROTATE:if(this.enableRotate===!1)return;this._handleMouseMoveRotate(e);break;case Eb.DOLLY:if(this.enableZoom===!1)return;this._handleMouseMoveDolly(e);break;case Eb.PAN:if(this.enablePan===!1)return;this._handleMouseMovePan(e)}}function Pb(e){this.enabled!==!1&&this.enableZoom!==!1&&this.state===Eb.NONE&&(e.preventDefault(),this.dispatchEvent(yb),this._handleMouseWheel(this._customWheelEvent(e)),this.dispatchEvent(bb))}function Fb(e){this.enabled!==!1&&this._handleKeyDown(e)}function Ib(e){switch(this._trackPointer(e),this._pointers.length){case 1:switch(this.touches.ONE){case Wl.ROTATE:if(this.enableRotate===!1){this.state=Eb.NONE;break}this._handleTouchStartRotate(e),this.state=Eb.TOUCH_ROTATE;break;case Wl.PAN:if(this.enablePan===!1){this.state=Eb.NONE;break}this._handleTouchStartPan(e),this.state=Eb.TOUCH_PAN;break;default:this.state=Eb.NONE}break;case 2:switch(this.touches.TWO){case Wl.DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchStartDollyPan(e),this.state=Eb.TOUCH_DOLLY_PAN;break;case Wl.DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchStartDollyRotate(e),this.state=Eb.TOUCH_DOLLY_ROTATE;break;default:this.state=Eb.NONE}break;default:this.state=Eb.NONE}this.state!==Eb.NONE&&this.dispatchEvent(yb)}function Lb(e){switch(this._trackPointer(e),this.state){case Eb.TOUCH_ROTATE:if(this.enableRotate===!1)return;this._handleTouchMoveRotate(e),this.update();break;case Eb.TOUCH_PAN:if(this.enablePan===!1)return;this._handleTouchMovePan(e),this.update();break;case Eb.TOUCH_DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchMoveDollyPan(e),this.update();break;case Eb.TOUCH_DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchMoveDollyRotate(e),this.update();break;default:this.state=Eb.NONE}}function Rb(e){this.enabled!==!1&&e.preventDefault()}function zb(e){e.key===`Control`&&(this._controlActive=!0,this.domElement.ownerDocument.addEventListener(`keyup`,this._interceptControlUp,{passive:!0,capture:!0}))}function Bb(e){e.key===`Control`&&(this._controlActive=!1,this.domElement.ownerDocument.removeEventListener(`keyup`,this._interceptControlUp,{passive:!0,capture:!0}))}var Vb={"three-quarter":[-42,12],front:[0,4],back:[180,6],left:[90,4],right:[-90,4],top:[-90,89.9]},Hb=32,Ub=.25,Wb=.7,Gb=class{camera=new kg(Hb,1,.02,600);controls;mode=`follow`;last=new Z;level=0;known=!1;constructor(e,t){this.camera.up.set(0,0,1),this.controls=new Ob(this.camera,e),this.controls.enableDamping=!1,this.controls.zoomSpeed=.9,this.controls.minDistance=.05,this.controls.maxDistance=200,this.controls.addEventListener(`change`,t)}track(e,t,n,r){let i=e.clone().sub(this.last);if(this.known||(this.level=e.z),this.known&&this.mode===`follow`&&i.lengthSq()>0){let n=t?e.z:of.clamp(this.level+Ub*i.z,e.z-Wb,e.z+Wb);i.z=n-this.level,this.level=n,this.camera.position.add(i),this.controls.target.add(i),this.controls.update()}this.mode===`fixed`&&(this.controls.target.set(e.x,e.y,.9*e.z),this.controls.update()),this.mode===`keys`&&n.length&&this.apply(Kb(n,r)),this.last.copy(e),this.known=!0}look(e,t,n,r){let i=of.degToRad(n),a=of.degToRad(r),o=new Z(Math.cos(i)*Math.cos(a),Math.sin(i)*Math.cos(a),Math.sin(a)),s=new Z(-Math.sin(i),Math.cos(i),0),c=o.clone().cross(s),l=Math.tan(of.degToRad(this.camera.fov/2)),u=new Op().setFromPoints(e).getCenter(new Z),d=0;for(let n of e){let e=n.clone().sub(u),r=Math.max(Math.abs(e.dot(c))+t,(Math.abs(e.dot(s))+.7*t)/this.camera.aspect);d=Math.max(d,r/l+e.dot(o)+.2*t)}this.controls.target.copy(u),this.camera.position.copy(u).addScaledVector(o,d),this.controls.update()}apply(e){this.camera.position.fromArray(e.eye),this.controls.target.fromArray(e.target),this.camera.fov=e.field,this.camera.updateProjectionMatrix(),this.controls.update()}view(){let{position:e,fov:t}=this.camera,{target:n}=this.controls;return{eye:[e.x,e.y,e.z],target:[n.x,n.y,n.z],field:t}}forget(){this.known=!1}get distance(){return this.camera.position.distanceTo(this.controls.target)}};function Kb(e,t){let n=[...e].sort((e,t)=>e.time-t.time),r=n.length,i=n.findIndex(e=>e.time>t)-1;i===-2&&(i=r-1);let a=e=>n[Math.min(Math.max(e,0),r-1)],o=a(i),s=a(i+1),c=s.time-o.time,l=i<0||c<=0?0:(t-o.time)/c,u=e=>{let t=t=>t<=0||t>=r-1?0:(e(a(t+1))-e(a(t-1)))/(a(t+1).time-a(t-1).time)*c,n=e(o),u=e(s),d=t(i),f=t(i+1),p=l*l,m=p*l;return(2*m-3*p+1)*n+(m-2*p+l)*d+(3*p-2*m)*u+(m-p)*f},d=e=>[0,1,2].map(t=>u(n=>e(n)[t]));return{eye:d(e=>e.camera.eye),target:d(e=>e.camera.target),field:u(e=>e.camera.field??Hb)}}function qb(e,t,n){let r=new sm;r.setAttribute(`position`,new Kp(C(e.positions),3)),r.setAttribute(`normal`,new Kp(C(e.normals),3)),r.setAttribute(`skinIndex`,new Kp(Uint16Array.from(C(e.joints)),4)),r.setAttribute(`skinWeight`,Jb(e.weights)),r.setIndex(new Kp(C(e.indices),1));let i=e.colours?C(e.colours):null;i&&r.setAttribute(`color`,new Kp(Yb(i),3));let a=new Um(r,new Kh({color:i?16777215:n,vertexColors:!!i,roughness:.62,metalness:0})),o=Array.from({length:t},()=>new Wm);for(let e of o)e.matrixAutoUpdate=!1;return a.bind(new Jm(o,Xb(e.bind,t)),new jf),a.castShadow=a.receiveShadow=!0,a.frustumCulled=!1,{mesh:a,bones:o}}function Jb(e){let t=C(e);return new Kp(t,4,!(t instanceof Float32Array))}function Yb(e){let t=!(e instanceof Float32Array),n=new Float32Array(e.length),r=new Q;for(let i=0;i<e.length;i+=3){let a=t?1/255:1;r.setRGB(e[i]*a,e[i+1]*a,e[i+2]*a,md).toArray(n,i)}return n}function Xb(e,t){let n=Zb(e,t);return Array.from({length:t},(e,t)=>{let r=n[t],i=new jf;return r?.length===16?i.fromArray(r):r&&i.compose(new Z(r[0],r[1],r[2]),new sf(r[4],r[5],r[6],r[3]),new Z(1,1,1)),i.invert()})}function Zb(e,t){if(!e)return[];if(Array.isArray(e))return e;let n=Array.from(C(e)),r=n.length/t;return Array.from({length:t},(e,t)=>n.slice(t*r,(t+1)*r))}var Qb=new Z;function $b(e,t,n,r,i,a){let o=2*Math.PI*i/4,s=Math.max(a-2*i,0),c=Math.PI/4;Qb.copy(t),Qb[r]=0,Qb.normalize();let l=.5*o/(o+s),u=1-Qb.angleTo(e)/c;return Math.sign(Qb[n])===1?u*l:s/(o+s)+l+l*(1-u)}var ex=class e extends Oh{constructor(e=1,t=1,n=1,r=2,i=.1){let a=r*2+1;if(i=Math.min(e/2,t/2,n/2,i),super(1,1,1,a,a,a),this.type=`RoundedBoxGeometry`,this.parameters={width:e,height:t,depth:n,segments:r,radius:i},a===1)return;let o=this.toNonIndexed();this.index=null,this.attributes.position=o.attributes.position,this.attributes.normal=o.attributes.normal,this.attributes.uv=o.attributes.uv;let s=new Z,c=new Z,l=new Z(e,t,n).divideScalar(2).subScalar(i),u=this.attributes.position.array,d=this.attributes.normal.array,f=this.attributes.uv.array,p=u.length/6,m=new Z,h=.5/a;for(let r=0,a=0;r<u.length;r+=3,a+=2)switch(s.fromArray(u,r),c.copy(s),c.x-=Math.sign(c.x)*h,c.y-=Math.sign(c.y)*h,c.z-=Math.sign(c.z)*h,c.normalize(),u[r+0]=l.x*Math.sign(s.x)+c.x*i,u[r+1]=l.y*Math.sign(s.y)+c.y*i,u[r+2]=l.z*Math.sign(s.z)+c.z*i,d[r+0]=c.x,d[r+1]=c.y,d[r+2]=c.z,Math.floor(r/p)){case 0:m.set(1,0,0),f[a+0]=$b(m,c,`z`,`y`,i,n),f[a+1]=1-$b(m,c,`y`,`z`,i,t);break;case 1:m.set(-1,0,0),f[a+0]=1-$b(m,c,`z`,`y`,i,n),f[a+1]=1-$b(m,c,`y`,`z`,i,t);break;case 2:m.set(0,1,0),f[a+0]=1-$b(m,c,`x`,`z`,i,e),f[a+1]=$b(m,c,`z`,`x`,i,n);break;case 3:m.set(0,-1,0),f[a+0]=1-$b(m,c,`x`,`z`,i,e),f[a+1]=1-$b(m,c,`z`,`x`,i,n);break;case 4:m.set(0,0,1),f[a+0]=1-$b(m,c,`x`,`y`,i,e),f[a+1]=1-$b(m,c,`y`,`x`,i,t);break;case 5:m.set(0,0,-1),f[a+0]=$b(m,c,`x`,`y`,i,e),f[a+1]=1-$b(m,c,`y`,`x`,i,t)}}static fromJSON(t){return new e(t.width,t.height,t.depth,t.segments,t.radius)}},tx=new Ph(1,40,28),nx=new Ah(1,1,1,40).rotateX(Math.PI/2);function rx(e,t){let n=new jm(ix(e),t),r=new jf().fromArray(e.pose);n.matrixAutoUpdate=!1;let[i=.05,a=i,o=i]=e.size;return e.kind===`ball`&&r.scale(new Z(i,a,o)),e.kind===`cylinder`&&r.scale(new Z(i,i,a)),n.matrix.copy(r),n.castShadow=n.receiveShadow=!0,n}function ix({kind:e,size:t,mesh:n}){let[r=.05,i=r,a=r]=t;if(e===`ball`)return tx;if(e===`cylinder`)return nx;if(e===`box`)return new ex(r,i,a,3,.12*Math.min(r,i,a));if(e===`capsule`)return new kh(r,i,12,32).rotateX(Math.PI/2);let o=new sm;return n&&(o.setAttribute(`position`,new Kp(C(n.positions),3)),n.indices&&o.setIndex(new Kp(C(n.indices),1)),n.normals?o.setAttribute(`normal`,new Kp(C(n.normals),3)):o.computeVertexNormals()),o}function ax(e,t=`#c9d0da`){let n=new Q(t);return e&&e.length>=3?n.setRGB(e[0],e[1],e[2],md):n}function ox(e){e.traverse(e=>{let{geometry:t,material:n}=e;t&&t!==tx&&t!==nx&&t.dispose();for(let e of Array.isArray(n)?n:[n])e?.dispose()}),e.removeFromParent()}var sx=class{look;index;style;palette;root=new ap;links;poses;bones=[];skin=null;sticks=null;knobs=null;lit=new Map;constructor(e,t,n,r){this.look=e,this.index=t,this.style=n,this.palette=r,this.poses=new Float32Array(7*e.links.length),this.links=e.links.map((e,n)=>{let r=new ap;return r.matrixAutoUpdate=!1,r.userData={figure:t,link:n},this.root.add(r),r});for(let t=0;t<e.links.length;t++)this.poses[7*t+3]=1;this.build()}get size(){return this.look.size??1.7}place(){this.links.forEach((e,t)=>{dx(this.poses,t,e.matrix),e.matrixWorldNeedsUpdate=!0;let n=this.bones[t];n&&(n.matrix.copy(e.matrix),n.matrixWorld.copy(e.matrix))}),this.sticks&&this.placeSticks()}point(e,t,n=new Z){return n.set(t[0],t[1],t[2]).applyMatrix4(this.links[e].matrix)}middle(e=new Z){let t=0;return e.set(0,0,0),this.look.links.forEach((n,r)=>{let i=Math.max(n.mass,1e-6);t+=i,e.x+=i*this.poses[7*r],e.y+=i*this.poses[7*r+1],e.z+=i*this.poses[7*r+2]}),e.divideScalar(Math.max(t,1e-6))}glow(e,t){let n=new Map;t!==null&&n.set(t,.2),e!==null&&n.set(e,.42);for(let e of new Set([...this.lit.keys(),...n.keys()])){let t=n.get(e)??0;(this.lit.get(e)??0)!==t&&this.links[e]?.children.forEach(e=>this.shine(e,t))}this.lit=n}shine(e,t){let n=e.material;n.emissive.set(this.palette.mark),n.emissiveIntensity=t,this.skin&&(e.visible=t>0)}targets(){return this.sticks?[this.sticks]:this.links}linkOf(e){if(e.object===this.sticks)return this.look.sticks[e.instanceId??0]?.[0][0]??null;for(let t=e.object;t;t=t.parent)if(typeof t.userData.link==`number`)return t.userData.link;return null}dispose(){ox(this.root)}material(e){return this.style.tint&&e.lerp(this.style.tint,.55),this.style.ghost?new Kh({color:this.palette.ghost,roughness:.9,transparent:!0,opacity:.28,depthWrite:!1}):new Kh({color:e,roughness:.56,metalness:.02})}build(){let{body:e}=this.style;e===`surface`&&this.look.skin?this.buildSkin():e===`surface`&&this.look.solids.some(e=>e.kind===`mesh`)?this.buildSolids(!0):e!==`stick`&&this.look.solids.length?this.buildSolids(!1):this.buildSticks(),this.style.ghost&&this.root.traverse(e=>e.castShadow=e.receiveShadow=!1)}buildSolids(e){let t=new Set(this.look.solids.filter(e=>e.kind===`mesh`).map(e=>e.link)),n=new Set(this.look.solids.filter(e=>e.kind!==`mesh`).map(e=>e.link));for(let r of this.look.solids)(r.kind===`mesh`?!e&&n.has(r.link):e&&t.has(r.link))||this.links[r.link]?.add(rx(r,this.material(ax(r.colour,this.palette.bone))))}buildSkin(){let{mesh:e,bones:t}=qb(this.look.skin,this.look.links.length,new Q(`#d7dbe2`));(this.style.ghost||this.style.tint)&&(e.material=this.material(new Q(`#d7dbe2`))),this.skin=e,this.bones=t,this.root.add(e);for(let e of this.look.solids){let t=rx(e,new Kh({color:this.palette.mark,transparent:!0,opacity:.35,depthTest:!1}));t.visible=t.castShadow=!1,this.links[e.link]?.add(t)}}buildSticks(){let e=this.look.sticks.length,t=.011*this.size,n=new Ah(t,t,1,14).rotateX(Math.PI/2),r=new Ph(1.55*t,18,14);this.sticks=new rh(n,this.material(new Q(this.palette.bone)),e),this.knobs=new rh(r,this.material(new Q(this.palette.bone)),e+1);let i=new Map(this.look.solids.map(e=>[e.link,ax(e.colour)]));this.look.sticks.forEach(([e],t)=>this.sticks.setColorAt(t,i.get(e[0])??new Q(this.palette.bone))),this.style.ghost||this.sticks.material.color.set(`#ffffff`);for(let e of[this.sticks,this.knobs])e.frustumCulled=!1,e.castShadow=e.receiveShadow=!0,this.root.add(e)}placeSticks(){let e=new jf,t=new Z,n=new Z,r=new Z(0,0,1),i=new Z,a=new sf,o=new Z(1,1,1),s=new sf;this.look.sticks.forEach(([c,l],u)=>{this.point(c[0],c.slice(1),t),this.point(l[0],l.slice(1),n);let d=i.subVectors(n,t).length();a.setFromUnitVectors(r,i.normalize()),this.sticks.setMatrixAt(u,e.compose(t.clone().add(n).multiplyScalar(.5),a,o.set(1,1,Math.max(d,1e-4)))),this.knobs.setMatrixAt(u,e.compose(n,s,o.set(1,1,1)))}),this.point(0,[0,0,0],t),this.knobs.setMatrixAt(this.look.sticks.length,e.compose(t,s,o.set(1,1,1))),this.sticks.instanceMatrix.needsUpdate=this.knobs.instanceMatrix.needsUpdate=!0,this.sticks.computeBoundingSphere()}},cx=new Z,lx=new sf,ux=new Z(1,1,1);function dx(e,t,n){let r=7*t;return cx.set(e[r],e[r+1],e[r+2]),lx.set(e[r+4],e[r+5],e[r+6],e[r+3]),n.compose(cx,lx,ux)}var fx=40;function px(e,t,n){let r=.11*(e.size??1.7);return e.limits.filter(e=>t===null||e.link===t).map(t=>({object:mx(t,hx(e,t.link),r,n),link:t.link})).filter(e=>e.object!==null)}function mx(e,t,n,r){let i=new Z().fromArray(e.axis??[0,0,1]).normalize();return e.kind===`range`&&!e.length?vx(gx(i,t,e.lower??-Math.PI,e.upper??Math.PI,.7*n),r,.3):e.kind===`cone`?vx(_x(i,e.angle??1,1.35*n),r,.16):e.kind===`swing`&&e.curve?vx(e.curve.map(e=>new Z().fromArray(e).normalize().multiplyScalar(1.35*n)),r,.16):null}function hx(e,t){let n=new Z;for(let{link:r,pose:i}of e.solids)r===t&&n.add(new Z(i[12],i[13],i[14]));return n.lengthSq()>1e-8?n.normalize():new Z(0,0,-1)}function gx(e,t,n,r,i){let a=t.clone();return a.addScaledVector(e,-a.dot(e)),a.lengthSq()<.001&&a.set(1,0,0).addScaledVector(e,-e.x),a.normalize().multiplyScalar(i),Array.from({length:41},(t,i)=>a.clone().applyAxisAngle(e,n+(r-n)*i/fx))}function _x(e,t,n){let r=new Z(1,0,0).cross(e);r.lengthSq()<.001&&r.set(0,1,0).cross(e);let i=e.clone().applyAxisAngle(r.normalize(),t).multiplyScalar(n);return Array.from({length:41},(t,n)=>i.clone().applyAxisAngle(e,2*Math.PI*n/fx))}function vx(e,t,n){let r=e.length>2&&e[0].distanceTo(e[e.length-1])<.001,i=[new Z,...e],a=new sm().setFromPoints(i),o=[];for(let t=1;t<e.length;t++)o.push(0,t,t+1);a.setIndex(o),a.computeVertexNormals();let s=ax(null,t),c=new jm(a,new ym({color:s,transparent:!0,opacity:n,side:2,depthWrite:!1})),l=new vh(new sm().setFromPoints([...e,...e.length&&!r&&n<.2?[e[0]]:[]]),new uh({color:s,transparent:!0,opacity:.9})),u=new ap;return u.matrixAutoUpdate=!1,u.add(c,l),u.renderOrder=3,u}var yx=.8,bx=9.81,xx=1.5,Sx=class{figure;palette;root=new ap;forces;com;plumb;cop;leg;dots;trails=[];limits=[];limitsOf=null;weight;constructor(e,t){this.figure=e,this.palette=t;let n=e.size;this.weight=Math.max(1,e.look.links.reduce((e,t)=>e+t.mass,0)*bx),this.forces=new _b(64,t.force,.0065*n),this.com=Cx(.022*n,t.com),this.cop=new jm(new Nh(.018*n,.028*n,32),new ym({color:t.cop,side:2,transparent:!0,depthTest:!1})),this.plumb=new vh(new sm().setFromPoints([new Z,new Z(0,0,-1)]),new Yh({color:t.com,dashSize:.05,gapSize:.04,transparent:!0,opacity:.8})),this.plumb.computeLineDistances(),this.leg=new jm(new Ah(.008*n,.008*n,1,14).rotateX(Math.PI/2).translate(0,0,.5),new Kh({color:t.leg,emissive:t.leg,emissiveIntensity:.5,transparent:!0,opacity:.8,depthTest:!1})),this.dots=new rh(new Ph(.007*n,12,10),new ym({color:t.cop}),Math.max(1,e.look.markers.length)),this.dots.frustumCulled=!1,this.com.material.depthTest=!1,this.com.renderOrder=this.cop.renderOrder=this.leg.renderOrder=4,this.root.add(this.forces.root,this.com,this.plumb,this.cop,this.leg,this.dots)}update(e,t,n,r,i){let a=this.centre(e,t,n),o=this.pressure(e,t,n);this.com.visible=this.plumb.visible=r.com,this.com.position.copy(a),this.plumb.position.copy(a),this.plumb.scale.z=Math.max(a.z,.01),this.cop.visible=r.cop&&o!==null,o&&this.cop.position.copy(o).add(new Z(0,0,.004)),this.leg.visible=r.virtualLeg&&o!==null,o&&wx(this.leg,o,a),this.forces.clear(),r.forces&&this.drawForces(e,t,n),this.dots.visible=r.markers,r.markers&&this.drawMarkers(),this.drawTrails(e,t,n,r.trails),this.drawLimits(r.limits,i)}centre(e,t,n,r=new Z){let i=e.table(`com/${t}`);return i?r.fromArray(e.sample(i,n,new Float32Array(i.stride))):this.figure.middle(r)}dispose(){ox(this.root)}pressure(e,t,n){let r=e.table(`contact/${t}`);if(!r)return null;let i=e.nearest(n)*r.stride,a=new Z,o=0;for(let e=i;e<i+r.stride;e+=6){let t=Math.max(r.data[e+5],0);t>1e-6&&(o+=t,a.x+=t*r.data[e],a.y+=t*r.data[e+1],a.z+=t*r.data[e+2])}return o>.001*this.weight?a.divideScalar(o):null}drawForces(e,t,n){let r=e.table(`contact/${t}`);if(!r)return;let i=e.nearest(n)*r.stride,a=[];for(let e=i;e<i+r.stride;e+=6){let t=new Z().fromArray(r.data,e+3),n=t.length();if(!(n>.001*this.weight))continue;let i=new Z().fromArray(r.data,e),o=a.find(e=>e.at.clone().divideScalar(e.total).distanceTo(i)<.17*this.figure.size);o?(o.at.addScaledVector(i,n),o.force.add(t),o.total+=n):a.push({at:i.multiplyScalar(n),force:t,total:n})}for(let{at:e,force:t,total:n}of a)this.forces.add(e.divideScalar(n),t.multiplyScalar(yx*(this.figure.size/1.7)/this.weight))}drawMarkers(){let e=new jf,t=new Z;this.figure.look.markers.forEach((n,r)=>this.dots.setMatrixAt(r,e.makeTranslation(this.figure.point(n.link,n.point,t)))),this.dots.count=this.figure.look.markers.length,this.dots.instanceMatrix.needsUpdate=!0}drawTrails(e,t,n,r){for(let e of this.trails)e.visible=r;if(!r)return;let i=Tx(this.figure);this.trails.length||(this.trails=[-1,...i].map(e=>{let t=e<0?new Q(this.palette.com):ax(this.figure.look.solids.find(t=>t.link===e)?.colour,this.palette.mark),n=new vh(new sm,new uh({vertexColors:!0,transparent:!0}));return n.userData={link:e,colour:t},n.frustumCulled=!1,this.root.add(n),n}));let a=e.nearest(n),o=e.nearest(n-xx),s=e.table(`com/${t}`),c=e.table(`poses/${t}`),l=Math.max(1,Math.ceil((a-o)/240));for(let e of this.trails){let{link:t,colour:n}=e.userData,r=[],i=[],u=t<0?s:c;if(u){for(let e=o;e<=a;e+=l){let s=e*u.stride+(t<0?0:7*t),c=a>o?(e-o)/(a-o):1;r.push(u.data[s],u.data[s+1],u.data[s+2]),i.push(n.r,n.g,n.b,c)}e.geometry.setAttribute(`position`,new Yp(r,3)),e.geometry.setAttribute(`color`,new Yp(i,4)),e.geometry.setDrawRange(0,r.length/3)}}}drawLimits(e,t){let n=e?`${t}`:null;if(n!==this.limitsOf){for(let{object:e}of this.limits)ox(e);this.limits=e?px(this.figure.look,t,this.palette.limit):[];for(let{object:e}of this.limits)this.root.add(e);this.limitsOf=n}for(let{object:e,link:t}of this.limits){let{parent:n,joint:r}=this.figure.look.links[t];n>=0?e.matrix.copy(this.figure.links[n].matrix):e.matrix.identity(),r.frame&&e.matrix.multiply(new jf().fromArray(r.frame)),e.matrixWorldNeedsUpdate=!0}}};function Cx(e,t){return new jm(new Ph(e,24,18),new Kh({color:t,emissive:t,emissiveIntensity:.5,roughness:.4,transparent:!0}))}function wx(e,t,n){let r=n.clone().sub(t),i=r.length();e.position.copy(t),e.quaternion.setFromUnitVectors(new Z(0,0,1),r.divideScalar(Math.max(i,1e-9))),e.scale.set(1,1,Math.max(i,1e-6))}function Tx(e){let t=new Set(e.look.links.map(e=>e.parent));return e.look.links.map((e,t)=>t).filter(e=>!t.has(e)).slice(0,8)}var Ex=[null,`#c9a24b`,`#7d86d6`,`#7fae6a`,`#c77fb0`,`#5fb0a0`],Dx=8,Ox=class{root=new ap;figures=[];extras=[];along=[];others=[];looks=[];key=``;alongOf=null;othersOf=null;prepare(e,t,n,r,i,a){let o=e.figures.map(({appearance:e})=>e),s=`${n} ${a} ${e.ids.join()}`;if(s!==this.key||o.length!==this.looks.length||o.some((e,t)=>e!==this.looks[t])){this.clear(),this.figures=o.map((e,t)=>new sx(e,t,{body:n,ghost:!1,tint:kx(t)},i)),this.extras=this.figures.map(e=>new Sx(e,i));for(let{root:e}of[...this.figures,...this.extras])this.root.add(e);this.looks=o,this.key=s}this.prepareAlong(r.ghosts&&e.frames>1?e:null,n,i),this.prepareOthers(t,n,i)}update(e,t,n,r,i){this.figures.forEach((t,a)=>{e.poses(a,n,t.poses),t.place(),this.extras[a].update(e,a,n,r,e.ids[a]===i.figure?i.link:null)});for(let{view:e,time:t}of this.along)e.root.visible=Math.abs(t-n)>.12;t&&this.others.forEach((e,r)=>{t.poses(r,n,e.poses),e.place()})}centre(e,t,n){return this.extras[t]?.centre(e,t,n)??new Z(0,0,1)}prepareAlong(e,t,n){let r=e?`${this.key} ${e.frames} ${e.header.title} ${e.end}`:null;if(r!==this.alongOf){this.alongOf=r;for(let{view:e}of this.along)e.dispose();this.along=[],e&&this.figures.forEach((r,i)=>{for(let a of Ax(e,i,.5*r.size)){let o=new sx(r.look,i,{body:t===`surface`?`volume`:t,ghost:!0,tint:null},n);e.poses(i,a,o.poses),o.place(),this.along.push({view:o,time:a}),this.root.add(o.root)}})}}prepareOthers(e,t,n){if(e!==this.othersOf){this.othersOf=e;for(let e of this.others)e.dispose();this.others=(e?.figures??[]).map(({appearance:e},r)=>new sx(e,r,{body:t,ghost:!0,tint:null},n));for(let e of this.others)this.root.add(e.root)}}clear(){for(let e of[...this.figures,...this.extras,...this.others,...this.along.map(({view:e})=>e)])e.dispose();this.figures=[],this.extras=[],this.others=[],this.along=[],this.alongOf=this.othersOf=null}};function kx(e){let t=Ex[e%Ex.length];return t?new Q(t):null}function Ax(e,t,n){let r=e.table(`com/${t}`)??e.table(`poses/${t}`),i=[];if(!r)return i;let a=0,o=[0];for(let t=1;t<e.frames;t++){let e=t*r.stride,n=e-r.stride;a+=Math.hypot(r.data[e]-r.data[n],r.data[e+1]-r.data[n+1],r.data[e+2]-r.data[n+2]),o.push(a)}let s=Math.max(n,a/Dx);for(let t=0;t<=a&&i.length<=Dx;t+=s)i.push(e.time[o.findIndex(e=>e>=t)]??0);return i}var jx=`
varying vec3 world;
#include <common>
#include <fog_pars_vertex>
void main() {
  vec4 at = modelMatrix * vec4(position, 1.0);
  world = at.xyz;
  gl_Position = projectionMatrix * viewMatrix * at;
}`,Mx=`
varying vec3 world;
uniform vec3 ground, line, centre;
uniform float cell, spread, grid;
float lines(vec2 p, float width) {
  vec2 wide = fwidth(p), near = abs(fract(p - 0.5) - 0.5) / max(wide, 1e-6);
  vec2 seen = clamp(width - near, 0.0, 1.0) * clamp(1.3 - 2.5 * wide, 0.0, 1.0);
  return max(seen.x, seen.y);
}
void main() {
  float away = length(world.xy - centre.xy) / spread;
  float alpha = 1.0 - smoothstep(0.12, 1.0, away);
  float fine = lines(world.xy / cell, 1.1), bold = lines(world.xy / cell / 5.0, 1.25);
  float pool = 1.0 - smoothstep(0.0, 0.55, away); // a soft circle of light below the figure
  vec3 colour = mix(ground * (1.0 + 0.10 * pool), line, grid * max(0.22 * fine, 0.5 * bold));
  gl_FragColor = vec4(colour, alpha);
  #include <colorspace_fragment>
}`,Nx=class{palette;grid;root=new ap;plane=null;catcher=null;hills=null;kind;constructor(e,t){this.palette=e,this.grid=t}show(e){if(e!==this.kind){this.kind=e;for(let e of[...this.root.children])ox(e);this.plane=this.catcher=this.hills=null,e?.kind===`heights`&&e.heights?this.makeHills(e):e&&this.makePlane(e)}}paint(e,t){if(this.palette=e,this.grid=t,this.plane){let{ground:n,line:r,grid:i}=this.plane.material.uniforms;n.value.set(e.ground),r.value.set(e.line),i.value=+!!t}this.catcher&&(this.catcher.material.opacity=e.shadow),this.hills?.material.color.set(e.ground).multiplyScalar(1.15);for(let n of this.hills?.children??[])n.visible=t,n.material.color.set(e.line)}centre(e,t){if(!this.plane)return;let{centre:n,spread:r,cell:i}=this.plane.material.uniforms;n.value.copy(e),r.value=Math.max(7,4.2*t),i.value=t>60?5:t>9?1:t>.8?.2:.02;for(let t of[this.plane,this.catcher])t.position.set(e.x,e.y,t.position.z)}makePlane(e){let t=new Mh(400,400),n={ground:{value:new Q(this.palette.ground)},line:{value:new Q(this.palette.line)},centre:{value:new Z},cell:{value:.2},spread:{value:20},grid:{value:+!!this.grid}};this.plane=new jm(t,new Wh({vertexShader:jx,fragmentShader:Mx,uniforms:n,transparent:!0,depthWrite:!1})),this.catcher=new jm(t,new Fh({opacity:this.palette.shadow,color:659224,depthWrite:!1})),this.catcher.receiveShadow=!0,this.plane.renderOrder=-2,this.catcher.renderOrder=-1;let r=new Z().fromArray(e.normal??[0,0,1]).normalize();for(let t of[this.plane,this.catcher])t.quaternion.setFromUnitVectors(new Z(0,0,1),r),t.position.fromArray(e.point??[0,0,0]),this.root.add(t)}makeHills(e){let t=C(e.heights),[n=2,r=2]=e.heights.shape,[i=0,a=0,o=0]=e.origin??[],[s=1,c=s]=e.spacing??[],l=new Float32Array(3*n*r),u=[],d=[],[f,p]=[s,c].map(e=>Math.max(1,Math.round(.2/e))),m=1/0,h=-1/0;for(let e=0;e<n;e++)for(let g=0;g<r;g++){let _=e*r+g;l.set([i+e*s,a+g*c,o+t[_]],3*_),e+1<n&&g+1<r&&u.push(_,_+r,_+1,_+1,_+r,_+r+1),e+1<n&&g%p===0&&d.push(_,_+r),g+1<r&&e%f===0&&d.push(_,_+1),m=Math.min(m,t[_]),h=Math.max(h,t[_])}let g=new sm;g.setAttribute(`position`,new Kp(l,3)),g.setIndex(u),g.computeVertexNormals();let _=new Float32Array(3*n*r);for(let e=0;e<n*r;e++)_.fill(.62+.38*(t[e]-m)/Math.max(h-m,.001),3*e,3*e+3);g.setAttribute(`color`,new Kp(_,3));let v=new Kh({vertexColors:!0,flatShading:!0,color:new Q(this.palette.ground).multiplyScalar(1.15),roughness:.95,polygonOffset:!0,polygonOffsetFactor:1,polygonOffsetUnits:1});this.hills=new jm(g,v),this.hills.receiveShadow=!0;let y=new sm;y.setAttribute(`position`,g.getAttribute(`position`)),y.setIndex(d);let b=new Sh(y,new uh({color:this.palette.line,transparent:!0,opacity:.35}));b.visible=this.grid,this.hills.add(b),this.root.add(this.hills)}},Px=new Z(.55,-.62,1.5).normalize(),Fx=class{root=new ap;key=new Mg;rim=new Mg;sky=new _g;constructor(){this.sky.position.set(0,0,1),this.key.castShadow=!0,this.key.shadow.mapSize.set(2048,2048),this.key.shadow.bias=-4e-4,this.key.shadow.normalBias=.012,this.key.shadow.radius=5,this.root.add(this.sky,this.key,this.key.target,this.rim,this.rim.target)}coarse(){this.key.shadow.mapSize.set(1024,1024),this.key.shadow.radius=3}paint(e,t){this.key.color.set(e.key[0]),this.key.intensity=e.key[1],this.key.castShadow=t,this.rim.color.set(e.rim[0]),this.rim.intensity=e.rim[1],this.sky.color.set(e.fill[0]),this.sky.groundColor.set(e.fill[1]),this.sky.intensity=e.fill[2]}follow(e,t){let n=new Z(Math.round(e.x*20)/20,Math.round(e.y*20)/20,.5*t);this.key.target.position.copy(n),this.key.position.copy(n).addScaledVector(Px,6*t),this.rim.target.position.copy(n),this.rim.position.copy(n).add(new Z(-3,3.4,2.2).multiplyScalar(t));let r=this.key.shadow.camera,i=1.7*t;r.right!==i&&(r.left=r.bottom=-i,r.right=r.top=i,r.near=.5*t,r.far=12*t,r.updateProjectionMatrix())}};function Ix([e,t]){let n=document.createElement(`canvas`);n.width=2,n.height=256;let r=n.getContext(`2d`),i=r.createLinearGradient(0,0,0,256);i.addColorStop(0,t),i.addColorStop(.55,e),i.addColorStop(1,t),r.fillStyle=i,r.fillRect(0,0,2,256);let a=new wh(n);return a.colorSpace=md,a}var Lx=class{element=s(`div`,{class:`names`,"aria-hidden":`true`});update(e,t,n){let r=e.flatMap(e=>e.look.links.map((t,n)=>({view:e,name:t.name,i:n})));for(;this.element.children.length>r.length;)this.element.lastElementChild.remove();for(;this.element.children.length<r.length;)this.element.append(s(`span`));let i=new Z;r.forEach(({view:e,name:r,i:a},o)=>{let s=this.element.children[o];e.point(a,[0,0,0],i).project(t),s.textContent!==r&&(s.textContent=r),s.hidden=i.z>1,s.style.transform=`translate(${(i.x+1)/2*n.clientWidth}px, ${(1-i.y)/2*n.clientHeight}px)`})}},Rx=class{root=new ap;shown=[];frames=[];show(e,t){if(e!==this.shown){this.shown=e;for(let e of[...this.root.children])ox(e);this.frames=e.map(e=>{let n=new ap,r={link:0,kind:e.kind,size:e.size,pose:new jf().toArray(),colour:[]};return n.matrixAutoUpdate=!1,e.pose&&n.matrix.fromArray(e.pose),n.add(rx(r,new Kh({color:ax(e.colour,t),roughness:.85}))),this.root.add(n),n})}}update(e,t){this.shown.forEach((n,r)=>{let i=n.poses?e.table(n.poses):null;i&&(dx(e.sample(i,t,new Float32Array(i.stride)),0,this.frames[r].matrix),this.frames[r].matrixWorldNeedsUpdate=!0)})}},zx={dark:{sky:[`#2b323d`,`#161a20`],ground:`#232932`,line:`#4a5567`,shadow:.5,key:[`#fff4e6`,2.1],fill:[`#d3dfee`,`#737b8a`,1.75],rim:[`#8fb8d8`,1.1],mark:`#6fd0e0`,force:`#f0b95c`,com:`#ffd27d`,cop:`#f08a6c`,leg:`#9ad0a0`,limit:`#9c8cf0`,thing:`#77839a`,bone:`#c9d0da`,ghost:`#8fa3bd`},light:{sky:[`#f6f8fb`,`#dfe5ed`],ground:`#e6ebf1`,line:`#aab6c6`,shadow:.26,key:[`#fffaf2`,2.2],fill:[`#ffffff`,`#c9d0da`,2],rim:[`#cfe2f2`,.8],mark:`#1296ad`,force:`#d98a1f`,com:`#d9931c`,cop:`#d2553a`,leg:`#3f9a56`,limit:`#6a58d0`,thing:`#97a3b6`,bone:`#8f99a8`,ghost:`#7f92ab`}},Bx=4,Vx=60,Hx=30,Ux=class{stage;app;label;ray=new Xg;line;drag=null;down=null;hovered=null;pointer=null;sent=0;missed=!1;taught=!1;constructor(e,t,n){this.stage=e,this.app=t,this.label=n,this.line=new vh(new sm().setFromPoints([new Z,new Z]),new uh({color:16761963,depthTest:!1,transparent:!0})),this.line.frustumCulled=this.line.visible=!1,this.line.renderOrder=9,e.scene.add(this.line);let r=e.canvas;r.addEventListener(`pointerdown`,e=>this.press(e),{capture:!0}),r.addEventListener(`pointermove`,e=>this.move(e)),r.addEventListener(`pointerup`,e=>this.release(e)),r.addEventListener(`pointercancel`,()=>this.drop()),r.addEventListener(`pointerleave`,()=>{this.pointer=null,this.hover(null)}),r.addEventListener(`dblclick`,()=>this.hovered&&e.focus())}update(){if(this.pointer&&!this.drag&&!this.down&&this.hover(this.hit(this.pointer),this.pointer),!this.drag)return;let e=this.stage.figure(this.drag.figure);if(!e)return this.drop();this.drag.kind===`drag`&&this.moveTarget()&&this.send(!1),this.line.geometry.setFromPoints([e.point(this.drag.link,this.drag.point.toArray()),this.drag.target])}point(e){let t=this.stage.canvas.getBoundingClientRect();this.ray.setFromCamera(new X((e.clientX-t.left)/t.width*2-1,1-(e.clientY-t.top)/t.height*2),this.stage.cameras.camera)}hit(e){this.point(e);let t=null;for(let e of this.stage.views){let[n]=this.ray.intersectObjects(e.targets(),!0),r=n?e.linkOf(n):null;n&&r!==null&&(!t||n.distance<t.distance)&&(t={...n,figure:this.stage.idOf(e.index),link:r})}return t}press(e){if(e.button!==0)return;this.down={x:e.clientX,y:e.clientY};let t=this.kind(),n=this.hit(e);if(this.missed=!t&&!!n&&this.app.store.get(`tool`)!==`look`&&this.app.store.get(`mode`)===`studio`,!t||!n)return;let r=this.stage.figure(n.figure),i=n.point.clone().applyMatrix4(r.links[n.link].matrix.clone().invert()),{camera:a}=this.stage.cameras,o=n.point.clone().sub(a.position).dot(a.getWorldDirection(new Z));this.drag={figure:n.figure,link:n.link,point:i,depth:o,at:e,target:n.point.clone(),kind:t},this.hover(null),this.stage.cameras.controls.enabled=!1,this.stage.canvas.setPointerCapture(e.pointerId),this.line.visible=!0,this.stage.canvas.classList.add(`holding`)}move(e){this.drag?(this.drag.at=e,this.moveTarget(),this.drag.kind!==`impulse`&&this.send(!1),this.stage.request()):(this.pointer=e,this.down||this.stage.request())}moveTarget(){let{at:e,depth:t,target:n}=this.drag,{camera:r}=this.stage.cameras,i=r.getWorldDirection(new Z),a=n.clone(),o=new dm().setFromNormalAndCoplanarPoint(i,r.position.clone().addScaledVector(i,t));return this.point(e),this.ray.ray.intersectPlane(o,n),a.distanceToSquared(n)>1e-10}release(e){let t=this.down&&Math.hypot(e.clientX-this.down.x,e.clientY-this.down.y)<Bx,n=this.drag;this.missed&&!t&&this.teach(),n?.kind===`impulse`?this.push(n,!!t):n&&!t?this.send(!0):t&&e.button===0&&this.choose(e),n?.kind===`drag`&&this.app.connection.post(`release_link`,{}),this.drop()}choose(e){let t=this.hit(e),n=this.app.store.get(`selection`);if(!t)return this.app.store.set(`selection`,{...n,link:null,dof:null});let r=this.stage.figure(t.figure).look.links[t.link].joint;this.app.store.set(`selection`,{figure:t.figure,link:t.link,dof:r.dofs[0]??r.name})}teach(){this.missed=!1,!this.taught&&(this.taught=!0,this.app.notify({tone:`info`,text:`A recorded motion is shown, so only the camera moves. Press Live to drag the figure in a simulation, or choose 'Initial pose' under Motions to pose it.`}))}drop(){this.drag=this.down=null,this.line.visible=!1,this.stage.cameras.controls.enabled=!0,this.stage.canvas.classList.remove(`holding`),this.stage.request()}kind(){let{store:e}=this.app,t=e.get(`tool`);return e.get(`mode`)===`player`||t===`look`?null:t===`impulse`?e.get(`run`)&&e.get(`live`)?`impulse`:null:e.get(`live`)?`drag`:e.get(`project`)?.shown===null?`pose`:null}send(e){let{figure:t,link:n,point:r,target:i,kind:a}=this.drag,o=performance.now();if(!e&&o-this.sent<Hx)return;this.sent=o;let s={figure:t,link:this.name(t,n),point:r.toArray(),target:i.toArray()};a===`drag`?this.app.connection.post(`drag_link`,s):e?this.app.run(`pose_link`,{...s,done:e}):this.app.connection.post(`pose_link`,{...s,done:e})}push({figure:e,link:t,point:n,target:r},i){let a=this.stage.figure(e),o=a.point(t,n.toArray()),s=a.look.links.reduce((e,t)=>e+t.mass,0),c=i?this.stage.cameras.camera.getWorldDirection(new Z).setZ(0).normalize().multiplyScalar(.25):r.clone().sub(o);c.multiplyScalar(Vx*s/75),this.app.run(`impulse`,{figure:e,link:this.name(e,t),point:n.toArray(),impulse:c.toArray()}),this.stage.flash(o,c)}name(e,t){return this.app.store.get(`figures`).get(e)?.appearance?this.stage.figure(e).look.links[t].name:``}hover(e,t){if(this.hovered=e,this.stage.lightUp(e),this.stage.canvas.classList.toggle(`over`,!!e),e&&t){let{name:n,joint:r}=this.stage.figure(e.figure).look.links[e.link],i=this.stage.canvas.getBoundingClientRect();this.label.textContent=r.name&&r.name!==n?`${n} · ${r.name}`:n,this.label.style.transform=`translate(${t.clientX-i.left+14}px, ${t.clientY-i.top+12}px)`}this.label.hidden=!e}},Wx=45,Gx=22,Kx=.6,qx=260;function Jx(){let e=document.createElement(`canvas`).getContext(`webgl2`),t=e?.getExtension(`WEBGL_debug_renderer_info`),n=e&&t?String(e.getParameter(t.UNMASKED_RENDERER_WEBGL)):``;return e?.getExtension(`WEBGL_lose_context`)?.loseContext(),/swiftshader|llvmpipe|software|basic render/i.test(n)}var Yx=class{software;redraw;draft;before=0;mean=30;changed=0;timer=0;fine=!0;constructor(e,t){this.software=e,this.redraw=t,this.draft=e?.7:1}ratio(){let e=Math.min(devicePixelRatio,this.software?1:2);return this.fine?e:e*this.draft}begin(e,t){let n=e-this.before;this.before=e,clearTimeout(this.timer),t?(this.fine=this.draft>=1,n<1e3&&(this.mean+=.15*(n-this.mean)),e-this.changed>600&&this.adapt(e)):this.fine=this.fine||n>qx,this.fine||(this.timer=window.setTimeout(()=>(this.fine=!0,this.redraw()),qx))}adapt(e){let t=this.mean>Wx?Math.max(Kx,.82*this.draft):this.mean<Gx?Math.min(1,1.12*this.draft):this.draft;t!==this.draft&&(this.draft=t,this.changed=e)}},Xx=[`time`,`motion`,`ghost`,`body`,`shown`,`selection`,`camera`,`cameraKeys`,`tool`],Zx=class{app;place;scene=new pp;canvas;cameras;renderer;lights=new Fx;ground;obstacles=new Rx;cast=new Ox;impulses=new _b(4,`#ffc46b`,.016);picking;names;quality;asked=!1;lookedAt=``;shownMotion=null;turning=!1;hovered=null;constructor(e,t){this.app=e,this.place=t;let n=Jx()&&location.hash!==`#fine`;this.quality=new Yx(n,()=>this.request()),this.renderer=new pb({antialias:!n,powerPreference:`high-performance`}),n&&this.lights.coarse(),this.renderer.shadowMap.enabled=!0,this.renderer.shadowMap.type=1,this.renderer.toneMapping=7,this.canvas=this.renderer.domElement,this.canvas.className=`stage-canvas`,this.canvas.tabIndex=0,this.canvas.setAttribute(`aria-label`,`3D view of the figures. Drag to rotate, scroll to zoom; arrow keys step through the frames.`);let r=s(`div`,{class:`hover-label`,hidden:!0});this.names=new Lx,t.prepend(this.canvas,this.names.element,r),this.cameras=new Gb(this.canvas,()=>this.request()),this.ground=new Nx(zx[e.store.get(`theme`)],!0),this.scene.add(this.lights.root,this.ground.root,this.obstacles.root,this.cast.root,this.impulses.root),this.picking=new Ux(this,e,r);for(let t of Xx)e.store.on(t,()=>this.request());e.store.on(`theme`,()=>this.paint(),!0),e.store.on(`shown`,()=>this.paint()),e.store.on(`camera`,e=>this.changeCamera(e),!0),this.cameras.controls.addEventListener(`start`,()=>this.turning=!0),this.cameras.controls.addEventListener(`end`,()=>(this.turning=!1,this.request())),new ResizeObserver(()=>this.resize()).observe(t)}get views(){return this.cast.figures}idOf(e){return this.app.store.get(`motion`)?.ids[e]??e}figure(e){let t=this.app.store.get(`motion`)?.ids.indexOf(e)??-1;return this.cast.figures[t]??null}request(){this.asked||(this.asked=!0,requestAnimationFrame(e=>{this.asked=!1,this.quality.begin(e,this.app.store.get(`playing`)||this.app.store.get(`live`)||this.turning),this.draw()}))}lookFrom(e){let[t,n]=Vb[e];this.frame(t,n,!1)}seeAll(){let{camera:e,controls:t}=this.cameras,n=e.position.clone().sub(t.target);this.frame(Math.atan2(n.y,n.x)*180/Math.PI,Math.asin(n.z/Math.max(n.length(),1e-9))*180/Math.PI,!0)}frameAnew(){let{camera:e,controls:t}=this.cameras,n=e.position.clone().sub(t.target);this.frame(Math.atan2(n.y,n.x)*180/Math.PI,Math.min(Math.max(Math.asin(n.z/Math.max(n.length(),1e-9))*180/Math.PI,4),60),!1),this.cameras.forget()}focus(){let{figure:e,link:t}=this.app.store.get(`selection`),n=this.figure(e)??this.views[0];if(!n)return;let r=(t!==null&&n.links[t]?n.point(t,[0,0,0]):this.middle()).sub(this.cameras.controls.target);this.cameras.camera.position.add(r),this.cameras.controls.target.add(r),this.cameras.controls.update()}turn(e,t,n=1){let{camera:r,controls:i}=this.cameras,a=new $g().setFromVector3(Qx(r.position.clone().sub(i.target)));a.theta+=e,a.phi=Math.min(Math.max(a.phi-t,.01),Math.PI-.01),a.radius*=n,r.position.copy($x(new Z().setFromSpherical(a))).add(i.target),i.update(),this.request()}lightUp(e){(e?.figure!==this.hovered?.figure||e?.link!==this.hovered?.link)&&(this.hovered=e,this.request())}flash(e,t){let n=t.clone().setLength(Math.min(.8,.15+t.length()/60));this.impulses.add(e.clone().sub(n),n),this.request(),setTimeout(()=>(this.impulses.clear(),this.request()),450)}picture(){return this.draw(),new Promise(e=>this.canvas.toBlob(e,`image/png`))}draw(){Math.abs(this.renderer.getPixelRatio()-this.quality.ratio())>.001&&this.renderer.setPixelRatio(this.quality.ratio());let{store:e}=this.app,t=e.get(`motion`);if(t?.frames){let n=e.get(`time`),r=e.get(`shown`),i=e.get(`ghost`),a=e.get(`theme`),o=e.get(`selection`);this.cast.prepare(t,i,e.get(`body`),r,zx[a],a),this.cast.update(t,i,n,r,o),this.ground.show(t.header.ground),this.cameras.controls.maxPolarAngle=(t.header.ground?.53:1)*Math.PI,this.obstacles.show(t.header.things??[],zx[a].thing),this.obstacles.update(t,n),this.firstLook(t);let s=this.centre(t,n);this.cameras.track(s,t!==this.shownMotion,e.get(`cameraKeys`),n),this.shownMotion=t,this.lights.follow(s,this.reach(t,s));for(let e of this.views){let t=this.idOf(e.index);e.glow(t===o.figure?o.link:null,this.hovered?.figure===t?this.hovered.link:null)}this.names.update(r.names?this.views:[],this.cameras.camera,this.place)}this.ground.centre(this.cameras.controls.target,this.cameras.distance),this.picking.update(),this.renderer.render(this.scene,this.cameras.camera),this.canvas.dataset.drawn=String(Number(this.canvas.dataset.drawn??0)+1)}centre(e,t){let n=new Z,r=this.views.length||1;return this.views.forEach((r,i)=>n.add(this.cast.centre(e,i,t))),n.divideScalar(r)}middle(){let e=this.app.store.get(`motion`);return e?this.centre(e,this.app.store.get(`time`)):new Z(0,0,1)}reach(e,t){let n=.4;return this.views.forEach((r,i)=>n=Math.max(n,this.cast.centre(e,i,this.app.store.get(`time`)).distanceTo(t)+.75*r.size)),Math.round(n*4)/4}firstLook(e){let t=`${e.ids.join()} ${this.views.map(({size:e})=>Math.round(Math.log(e)/Math.log(1.6))).join()}`;if(this.lookedAt===t||!this.views.length)return;let n=this.lookedAt===``;if(this.lookedAt=t,!n)return this.frameAnew();let{azimuth:r,elevation:i,follow:a}=e.header.camera??{};e.header.camera?.keys?.length&&this.app.store.set(`cameraKeys`,e.header.camera.keys);let o=this.app.store.get(`mode`)===`player`&&a===!1;o&&this.app.store.set(`camera`,`orbit`);let[s,c]=Vb[`three-quarter`];this.frame(this.app.store.get(`mode`)===`player`?r??s:s,this.app.store.get(`mode`)===`player`?i??c:c,o),this.cameras.forget()}frame(e,t,n){let r=this.app.store.get(`motion`);if(!r)return;let i=n?Array.from({length:25},(e,t)=>r.start+r.span*t/24):[this.app.store.get(`time`)],a=Math.max(...this.views.map(e=>e.size),.1),o=i.flatMap(e=>this.views.map((t,n)=>this.cast.centre(r,n,e)));if(r.header.ground)for(let e of o)e.z>.2*a&&e.z<a&&(e.z=.54*a);this.cameras.look(o,.66*a,e,t),this.request()}changeCamera(e){this.cameras.mode=e,this.cameras.controls.enablePan=e!==`fixed`,this.request()}paint(){let e=zx[this.app.store.get(`theme`)],t=this.app.store.get(`shown`);this.scene.background?.dispose(),this.scene.background=Ix(e.sky),this.lights.paint(e,t.shadows),this.ground.paint(e,t.grid),this.request()}resize(){let{clientWidth:e,clientHeight:t}=this.place;e&&t&&(this.renderer.setSize(e,t),this.cameras.camera.aspect=e/t,this.cameras.camera.updateProjectionMatrix(),this.draw())}},Qx=e=>e.set(e.y,e.z,e.x),$x=e=>e.set(e.z,e.x,e.y);function eS(e){let{store:t}=e,n=null,r=async r=>{n=r;let i=t.get(`project`)?.motions.find(e=>e.motion===r);if(!i)return t.set(`ghost`,null);try{let e=await a(i.address);if(!e.ok)throw Error(`The motion '${i.title}' could not be loaded from the server (status ${e.status}). Reload the page.`);let o=y.read(await e.arrayBuffer());n===r&&t.set(`ghost`,o)}catch(t){g(e,t)}};return t.on(`project`,e=>{n!==null&&!e?.motions.some(({motion:e})=>e===n)&&r(null)}),xe(d(A.ghost,!1,17),`Compare`,`Compares the motion with another one, which is shown as a ghost at the same time.`,()=>{let e=t.get(`project`)?.motions??[];return e.length?[{label:`No ghost`,checked:n===null,run:()=>void r(null)},...e.map(({motion:e,title:t})=>({label:t,checked:n===e,run:()=>void r(e)}))]:[{label:`No other motion yet`,disabled:!0,run:()=>void 0}]})}var tS=[[`look`,`look`,`Look`,`Look: the pointer moves the camera and chooses links (V).`],[`hand`,`hand`,`Hand`,`Hand: drag a link. In a live run a spring pulls it; otherwise the figure is posed by inverse kinematics (G).`],[`impulse`,`impulse`,`Push`,`Push: click a link, or drag an arrow from it, to apply an impulse in a live run (B).`]],nS=[[`stick`,`stick`,`Stick`,`Stick: bones and joints (1).`],[`volume`,`volume`,`Volume`,`Volume: boxes, ellipsoids and capsules (2).`],[`surface`,`surface`,`Surface`,`Surface: a skin, or the meshes of the figure's file (3).`]],rS=[[`orbit`,`orbit`,`Orbit`,`Orbit: a free camera; drag to rotate, scroll to zoom, right-drag to pan (4).`],[`follow`,`follow`,`Follow`,`Follow: the camera moves with the figure (5).`],[`fixed`,`fixed`,`Fixed`,`Fixed: the camera stays in place and turns to the figure (6).`],[`keys`,`keyed`,`Keys`,`Keys: the camera follows the camera keys on the timeline (7).`]],iS=[[`forces`,`Forces`,`Ground reaction force of each foot as an arrow. An arrow of 0.8 m is one body weight.`],[`com`,`Centre of mass`,`The centre of mass and a vertical line down from it.`],[`cop`,`Centre of pressure`,`A ring where the ground reaction acts.`],[`virtualLeg`,`Virtual leg`,`A line from the centre of pressure to the centre of mass.`],[`limits`,`Joint limits`,`Ranges of joints as fans and cones, of the chosen link or of all links.`],[`trails`,`Trails`,`Paths of the centre of mass, hands and feet in the last 1.5 s.`],[`ghosts`,`Ghosts`,`Pale copies of the figure along the motion.`],[`markers`,`Markers`,`Named points on the links.`],[`names`,`Names`,`Names of all links.`],[`grid`,`Grid`,`Lines on the ground, 20 cm and 1 m apart.`],[`shadows`,`Shadows`,`Shadows of figures and obstacles.`]],aS=[[`three-quarter`,`Three quarter`],[`front`,`Front`],[`back`,`Back`],[`left`,`Left`],[`right`,`Right`],[`top`,`Top`]];function oS(e,t,n){let r=t.store.get(`mode`)===`studio`,i=s(`div`,{class:`toolbar`,role:`toolbar`,"aria-label":`Stage`},r&&cS(t,`tool`,tS),cS(t,`body`,nS),cS(t,`camera`,rS),lS(t,n),dS(t),r&&s(`div`,{class:`group`},eS(t)));e.append(i),r&&e.append(fS(t)),tS.forEach(([e,,n],i)=>r&&t.shortcut(`vgb`[i],`Pointer tool: ${n}`,()=>t.store.set(`tool`,e))),nS.forEach(([e,,n],r)=>t.shortcut(String(r+1),`${n} bodies`,()=>t.store.set(`body`,e))),rS.forEach(([e,,n],r)=>t.shortcut(String(r+4),`${n} camera`,()=>t.store.set(`camera`,e)));for(let[e,r,i,a]of[[`left`,`left`,-.15,0],[`right`,`right`,.15,0],[`up`,`up`,0,.12],[`down`,`down`,0,-.12]])t.shortcut(`ctrl+${e}`,`Turn the camera ${r}`,()=>n.turn(i,a));t.shortcut(`+`,`Zoom in`,()=>n.turn(0,0,.85)),t.shortcut(`-`,`Zoom out`,()=>n.turn(0,0,1/.85)),t.shortcut(`n`,`Choose the next link`,()=>sS(t,1)),t.shortcut(`shift+n`,`Choose the previous link`,()=>sS(t,-1)),t.shortcut(`f`,`Centre the chosen link, or the figure`,()=>n.focus()),t.shortcut(`a`,`Show the whole motion`,()=>(t.store.set(`camera`,`orbit`),n.seeAll()))}function sS(e,t){let{figure:n,link:r}=e.store.get(`selection`),i=e.store.get(`motion`),a=i?.figures[Math.max(0,i.ids.indexOf(n))]?.appearance.links??[];if(!i||!a.length)return;let o=r===null?t>0?0:a.length-1:(r+t+a.length)%a.length,{joint:s}=a[o];e.store.set(`selection`,{figure:i.ids.includes(n)?n:i.ids[0],link:o,dof:s.dofs[0]??s.name})}function cS(e,t,n){let r=n.map(([n,r,i,a])=>s(`button`,{class:`icon-button`,type:`button`,"aria-label":i,help:a,onclick:()=>e.store.set(t,n),dataset:{choice:String(n)}},d(A[r],!1,17)));return e.store.on(t,e=>r.forEach((t,r)=>t.setAttribute(`aria-pressed`,String(n[r][0]===e))),!0),s(`div`,{class:`group`,role:`group`,"aria-label":t},r)}function lS(e,t){let n=aS.map(([e,n])=>({label:n,run:()=>t.lookFrom(e)}));return s(`div`,{class:`group`},xe(d(A.view,!1,17),`View point`,`View point: look from one side, or at the whole motion.`,()=>[...n,{label:`Whole motion`,hint:`A`,run:()=>(e.store.set(`camera`,`orbit`),t.seeAll())},{label:`Chosen link`,hint:`F`,run:()=>t.focus()},{label:`Picture of the stage (PNG)`,run:()=>void uS(e,t)}]))}async function uS(e,t){let n=await t.picture();if(!n)return e.notify({tone:`error`,text:`This browser could not save a picture of the stage.`});let r=URL.createObjectURL(n);s(`a`,{href:r,download:`${e.store.get(`motion`)?.header.title||`stage`}.png`}).click(),setTimeout(()=>URL.revokeObjectURL(r),2e3)}function dS(e){return s(`div`,{class:`group`},xe(d(A.eye,!1,17),`Show`,`Overlays besides the bodies: forces, centre of mass, limits, trails …`,()=>iS.map(([t,n,r])=>({label:n,help:r,checked:e.store.get(`shown`)[t],run:()=>e.store.patch(`shown`,{[t]:!e.store.get(`shown`)[t]})}))))}function fS(e){let{store:t}=e,n=()=>{let e=t.get(`project`)?.figures??[],n=t.get(`selection`).figure;return e.find(e=>e.figure===n)??e[0]},r=()=>{let r=n(),i=t.get(`run`),a=i&&i.state!==`stopped`&&i.dynamics===`walk`?{...i.speed?{speed:i.speed}:{},...i.style?{style:i.style}:{}}:{};r&&e.run(`live_start`,{figure:r.figure,dynamics:r.can_walk?`walk`:`contact`,...a})},i=s(`button`,{class:`live-start`,type:`button`,help:`Starts a live simulation of the figure. Drag its links, push it and change its speed while it runs.`,onclick:r},d(A.live,!1,16),`Live`),a=s(`span`,{class:`live-words`}),o=s(`small`,{class:`number`}),c=s(`span`,{class:`badge`},s(`i`),a,o),l=f(A.stop,`Stop`,`Ends the live run; its motion is kept.`,()=>void e.run(`live_stop`,{}),!0),u=s(`button`,{class:`live-again`,type:`button`,help:`Restarts the live run from the initial pose; the motion so far is kept.`,onclick:r},d(A.live,!1,16),`Restart`),p=()=>{let e=t.get(`run`),r=!!e&&e.state!==`stopped`;i.hidden=r,i.disabled=!n(),c.hidden=l.hidden=!r,u.hidden=!r||!e.fallen,e&&r&&(c.className=`badge ${e.state}`,a.textContent=`Live · ${e.state===`building`?`compiling`:e.fallen?`fallen`:e.state}`,o.textContent=e.faster>0?`up to ${e.faster>=10?e.faster.toFixed(0):e.faster.toFixed(1)}× real time`:``)};for(let e of[`run`,`project`,`selection`])t.on(e,p);return p(),s(`div`,{class:`live-box`},i,c,u,l)}function pS(e,t){let n=new Map,r=s(`div`,{class:`tasks`,role:`status`}),i=()=>c(r,[...n.values()].map(({task:t,what:n,done:r,total:i})=>s(`div`,{class:`task`},s(`span`,null,n),i>0?s(`progress`,{max:i,value:Math.min(r,i),"aria-label":n}):s(`progress`,{"aria-label":n}),f(A.close,`Stop`,`Stops this task. Its motion is discarded.`,()=>void e.run(`stop_task`,{task:t})))));e.connection.on(`progress`,({running:e})=>(n.set(e.task,e),i())),e.connection.on(`finished`,({task:e})=>(n.delete(e),i())),e.store.on(`project`,e=>{n.clear();for(let t of e?.tasks??[])n.set(t.task,t);i()}),e.connection.onStatus(e=>e!==`open`&&(n.clear(),i())),t.append(r)}function mS(e){let t=0,n=!1,r=i=>{let a=e.get(`motion`);if(!e.get(`playing`)||e.get(`live`)||!a||a.span<=0){n=!1,a&&a.span<=0&&e.set(`playing`,!1);return}let o=Math.min((i-t)/1e3,.25);t=i,hS(e,o*e.get(`pace`)),requestAnimationFrame(r)};e.on(`playing`,e=>{e&&!n&&(n=!0,t=performance.now(),requestAnimationFrame(r))},!0)}function hS(e,t){let n=e.get(`motion`),r=e.get(`time`)+t;if(r>n.end||r<n.start){if(!e.get(`loop`))return e.set(`time`,Math.min(Math.max(r,n.start),n.end)),e.set(`playing`,!1);r=n.start+((r-n.start)%n.span+n.span)%n.span}e.set(`time`,r)}function gS(e,t){let n=e.get(`motion`);if(!n)return;e.set(`playing`,!1);let r=Math.min(Math.max(n.nearest(e.get(`time`))+t,0),n.frames-1);e.set(`time`,n.time[r]??0)}function _S(e){let t=e.get(`motion`),n=e.get(`playing`);!n&&t&&!e.get(`loop`)&&e.get(`time`)>=t.end&&e.set(`time`,t.start),e.set(`playing`,!n)}function vS(e){let t=e.get(`motion`),n=e.get(`project`),r=[];t?.figures.forEach(({name:e},i)=>{let a=t.header.events.filter(e=>(e.figure??0)===i),o=t.ids[i]??i,s=t.figures.length>1,c=bS(t,a);if(c.length?r.push({title:s?e:`Steps`,kind:`steps`,figure:o,bars:c,marks:a.map(e=>yS(e,o)),height:26}):a.length&&r.push({title:s?e:`Events`,kind:`events`,figure:o,bars:[],marks:a.map(e=>yS(e,o)),height:18}),!n)return;let l=n.keys[String(o)]??[];r.push({title:s?`${e} keys`:`Keys`,kind:`keys`,figure:o,bars:[],height:18,marks:l.map(({time:e,values:t})=>({time:e,kind:`key`,figure:o,side:``,label:`key at ${e.toFixed(2)} s, ${Object.keys(t).length} values`}))})});let i=e.get(`cameraKeys`);return(n||i.length)&&r.push({title:`Camera`,kind:`camera`,figure:-1,bars:[],height:18,marks:i.map(({time:e})=>({time:e,kind:`camera`,figure:-1,side:``,label:`camera key at ${e.toFixed(2)} s`}))}),r}function yS({time:e,name:t,side:n},r){return{time:e,kind:`event`,figure:r,side:n??``,label:`${n===`l`?`left `:n===`r`?`right `:``}${t} at ${e.toFixed(2)} s`}}function bS(e,t){let n=[];for(let r of[`l`,`r`]){let i=t.filter(e=>e.side===r&&/strike|off/.test(e.name)).sort((e,t)=>e.time-t.time),a=i[0]&&/off/.test(i[0].name)?e.start:null;for(let{name:e,time:t}of i)/strike/.test(e)?a??=t:a!==null&&(n.push({from:a,to:t,side:r}),a=null);a!==null&&n.push({from:a,to:e.end,side:r})}return n}var xS=22,SS=7,CS=class{app;element;canvas=s(`canvas`,{class:`tracks`,tabIndex:0,role:`slider`,"aria-label":`Timeline`,help:`Drag to change the time. The mouse wheel zooms; with Shift it scrolls. Drag a diamond to move a key. Double-click a row of keys to set a key. Delete removes the chosen key.`});label=s(`div`,{class:`track-label`,hidden:!0});rows=[];gutter=64;asked=!1;chosen=null;held=null;constructor(e){this.app=e,this.element=s(`div`,{class:`tracks-place`},this.canvas,this.label);let{store:t}=e;for(let e of[`time`,`range`,`theme`])t.on(e,()=>this.request());for(let e of[`motion`,`project`,`cameraKeys`])t.on(e,()=>this.arrange());t.on(`motion`,()=>this.fit(),!0),t.on(`project`,()=>!t.get(`live`)&&(t.get(`motion`)?.span??0)<=0&&this.fit()),t.on(`time`,e=>t.get(`live`)&&t.set(`range`,[Math.max(0,e-10),Math.max(10,e)])),new ResizeObserver(()=>this.request()).observe(this.element),this.canvas.addEventListener(`pointerdown`,e=>this.press(e)),this.canvas.addEventListener(`pointermove`,e=>this.move(e)),this.canvas.addEventListener(`pointerup`,()=>this.release()),this.canvas.addEventListener(`pointerleave`,()=>this.label.hidden=!0),this.canvas.addEventListener(`dblclick`,e=>this.double(e)),this.canvas.addEventListener(`wheel`,e=>this.wheel(e),{passive:!1}),this.canvas.addEventListener(`keydown`,e=>this.key(e)),this.arrange()}fit(){let{store:e}=this.app,t=e.get(`motion`);if(e.get(`live`))return;if(t&&t.span>0)return e.set(`range`,[t.start,t.end]);let n=Object.values(e.get(`project`)?.keys??{}).flat().reduce((e,{time:t})=>Math.max(e,t),0),r=Math.max(2,n+.5);(e.get(`range`)[0]!==0||e.get(`range`)[1]!==r)&&e.set(`range`,[0,r])}arrange(){this.rows=vS(this.app.store),this.gutter=this.rows.some(({title:e})=>e.length>9)?104:64,this.canvas.style.height=`${xS+this.rows.reduce((e,t)=>e+t.height,0)+4}px`,this.request()}request(){this.asked||(this.asked=!0,requestAnimationFrame(()=>(this.asked=!1,this.draw())))}x(e){let[t,n]=this.app.store.get(`range`);return this.gutter+(e-t)/Math.max(n-t,1e-9)*(this.canvas.clientWidth-this.gutter-12)}t(e){let[t,n]=this.app.store.get(`range`);return t+(e-this.gutter)/Math.max(this.canvas.clientWidth-this.gutter-12,1)*(n-t)}draw(){let e=this.canvas.clientWidth,t=this.canvas.clientHeight,n=devicePixelRatio;if(!e)return;(this.canvas.width!==Math.round(e*n)||this.canvas.height!==Math.round(t*n))&&(this.canvas.width=Math.round(e*n),this.canvas.height=Math.round(t*n));let r=this.canvas.getContext(`2d`),i=getComputedStyle(document.documentElement),a=e=>i.getPropertyValue(e).trim();r.setTransform(n,0,0,n,0,0),r.clearRect(0,0,e,t),r.font=`11px ${a(`--font`)}`,r.textBaseline=`middle`,this.drawRuler(r,a,e,t);let o=xS;for(let t of this.rows)this.drawRow(r,a,t,o,e),o+=t.height;let s=this.app.store.get(`time`),c=Math.round(this.x(s))+.5;r.fillStyle=r.strokeStyle=a(`--mark`),r.lineWidth=1.5,TS(r,c,8,c,t),r.beginPath(),r.moveTo(c-5,2),r.lineTo(c+5,2),r.lineTo(c+5,8),r.lineTo(c,14),r.lineTo(c-5,8),r.fill();let l=this.app.store.get(`motion`);for(let[e,t]of Object.entries({min:l?.start??0,max:l?.end??0,now:s}))this.canvas.setAttribute(`aria-value${e}`,t.toFixed(3));this.canvas.setAttribute(`aria-valuetext`,`${s.toFixed(2)} seconds`)}drawRuler(e,t,n,r){let[i,a]=this.app.store.get(`range`),o=ES((a-i)/Math.max(n-this.gutter,1)*80);e.lineWidth=1,e.textAlign=`center`;for(let n=Math.ceil(i/(o/5));o/5*n<=a+1e-9;n++){let i=o/5*n,a=Math.round(this.x(i))+.5,s=n%5==0;e.strokeStyle=t(`--edge`),TS(e,a,s?xS:18,a,s?r:xS),s&&(e.fillStyle=t(`--faint`),e.fillText(`${Number(i.toFixed(3))}`,a,10))}}drawRow(e,t,n,r,i){e.fillStyle=t(`--quiet`),e.textAlign=`left`,e.fillText(n.title.length>16?`${n.title.slice(0,15)}…`:n.title,10,r+n.height/2),e.save(),e.beginPath(),e.rect(this.gutter-6,r,i-this.gutter+6,n.height),e.clip();for(let{from:i,to:a,side:o}of n.bars){e.fillStyle=t(o===`l`?`--left`:`--right`),e.globalAlpha=.78;let s=this.x(i),c=this.x(a);e.beginPath(),e.roundRect(s,r+(o===`l`?4:n.height/2+1),Math.max(c-s-1,2),n.height/2-5,3),e.fill(),e.globalAlpha=1}for(let i of n.marks)this.drawMark(e,t,n,i,r);e.restore()}drawMark(e,t,n,r,i){let a=this.held!==null&&this.held!==`scrub`&&this.held.mark===r?this.held.to:r.time,o=this.x(a),s=i+n.height/2;if(r.kind===`event`)return n.kind===`steps`?void 0:(e.strokeStyle=t(`--warm`),TS(e,o,i+3,o,i+n.height-3));let c=r===this.chosen?6.5:5;e.fillStyle=t(r.kind===`camera`?`--good`:`--warm`),e.beginPath(),e.moveTo(o,s-c),e.lineTo(o+c,s),e.lineTo(o,s+c),e.lineTo(o-c,s),e.fill(),r===this.chosen&&(e.strokeStyle=t(`--text`),e.lineWidth=1.5,e.stroke())}rowAt(e){let t=e.clientY-this.canvas.getBoundingClientRect().top-xS;for(let e of this.rows){if(t>=0&&t<e.height)return e;t-=e.height}return null}markAt(e){let t=e.clientX-this.canvas.getBoundingClientRect().left,n=e=>Math.abs(this.x(e.time)-t),[r]=[...this.rowAt(e)?.marks??[]].sort((e,t)=>n(e)-n(t));return r&&n(r)<=SS?r:null}press(e){if(e.button!==0)return;let t=this.markAt(e);this.canvas.setPointerCapture(e.pointerId),t&&t.kind!==`event`?(this.chosen=t,this.held={mark:t,to:t.time},this.app.store.set(`time`,t.time)):(this.held=`scrub`,this.scrub(e)),this.request()}move(e){let t=e.clientX-this.canvas.getBoundingClientRect().left;if(this.held===`scrub`)return this.scrub(e);if(this.held)return this.held.to=Math.max(0,Math.round(this.t(t)*100)/100),this.request();let n=this.markAt(e);this.label.hidden=!n,this.canvas.style.cursor=n&&n.kind!==`event`?`ew-resize`:`default`,n&&(this.label.textContent=n.label,this.label.style.left=`${Math.min(t+10,this.canvas.clientWidth-160)}px`)}release(){let e=this.held;if(this.held=null,e&&e!==`scrub`&&Math.abs(e.to-e.mark.time)>1e-6){let{mark:t,to:n}=e,{time:r}=t;t.kind===`camera`?this.app.run(`move_camera_key`,{time:r,to:n}):this.app.run(`move_key`,{figure:t.figure,time:r,to:n})}this.request()}scrub(e){let{store:t}=this.app,n=t.get(`motion`);if(!n)return;t.get(`live`)&&this.app.run(`live_pause`,{paused:!0}),t.set(`playing`,!1);let r=this.t(e.clientX-this.canvas.getBoundingClientRect().left);t.set(`time`,this.rows.some(e=>e.kind===`keys`)&&n.span<=0?Math.max(0,r):Math.min(Math.max(r,n.start),n.end))}double(e){let t=this.rowAt(e),n=this.app.store.get(`time`);t?.kind===`keys`&&wS(this.app,t.figure,n),t?.kind===`camera`&&dispatchEvent(new CustomEvent(`anthropi:camera-key`))}wheel(e){e.preventDefault();let{store:t}=this.app,[n,r]=t.get(`range`),i=t.get(`motion`),a=i?.start??0,o=Math.max(i?.end??1,a+.001);if(e.shiftKey||Math.abs(e.deltaX)>Math.abs(e.deltaY)){let i=(e.deltaX||e.deltaY)/600*(r-n),s=Math.min(Math.max(i,a-n),o-r);return t.set(`range`,[n+s,r+s])}let s=this.t(e.clientX-this.canvas.getBoundingClientRect().left),c=Math.exp(e.deltaY/400),l=Math.max(a,s-(s-n)*c),u=Math.min(o,s+(r-s)*c);u-l>.02&&t.set(`range`,[l,u])}key(e){let t=this.rows.flatMap(e=>e.marks).filter(e=>e.kind!==`event`);if((e.key===`Delete`||e.key===`Backspace`)&&this.chosen){let{kind:e,time:t,figure:n}=this.chosen;this.chosen=null,e===`camera`?this.app.run(`remove_camera_key`,{time:t}):this.app.run(`remove_key`,{figure:n,time:t})}else if(e.key===`PageDown`||e.key===`PageUp`){let n=e.key===`PageDown`,r=this.app.store.get(`time`),i=t.filter(e=>n?e.time>r+1e-6:e.time<r-1e-6).sort((e,t)=>n?e.time-t.time:t.time-e.time)[0];i&&this.app.store.set(`time`,(this.chosen=i).time)}else if(e.key===`ArrowUp`||e.key===`ArrowDown`)gS(this.app.store,e.key===`ArrowUp`?10:-10);else return;e.preventDefault()}};function wS(e,t,n){let r=e.store.get(`project`)?.shown??null;e.run(`set_key`,r===null?{figure:t,time:n}:{figure:t,time:n,motion:r,at:n})}function TS(e,t,n,r,i){e.beginPath(),e.moveTo(t,n),e.lineTo(r,i),e.stroke()}function ES(e){let t=10**Math.floor(Math.log10(Math.max(e,1e-6))),n=e/t;return(n<1.5?1:n<3.5?2:n<7.5?5:10)*t}var DS=[`0.05`,`0.1`,`0.25`,`0.5`,`1`,`2`,`4`];function OS(e,t){let{store:n}=e,r=f(A.play,`Play or pause`,`Plays or pauses the motion, or pauses a live run (Space).`,()=>AS(e),!0);r.classList.add(`play`);let i=s(`output`,{class:`clock number`,"aria-label":`Time`}),a=s(`input`,{type:`number`,class:`pace`,min:`0.01`,max:`20`,step:`any`,value:`1`,list:`paces`,"aria-label":`Pace`,help:`Pace: 1 is real time, 0.1 is ten times slower. The keys , and . halve and double it.`});a.addEventListener(`change`,()=>jS(e,Number(a.value)));let o=p(d(A.loop,!1,16),`Loop: the motion starts again at its end (L).`,n.get(`loop`),e=>n.set(`loop`,e));o.classList.add(`icon-button`),o.setAttribute(`aria-label`,`Loop`);let l=()=>{let e=n.get(`motion`),t=n.get(`time`),r=e?e.nearest(t)+1:0;c(i,s(`b`,null,t.toFixed(2)),` / ${(e?.end??0).toFixed(2)} s`,s(`small`,null,e&&e.frames>1?`frame ${r} of ${e.frames}`:`no motion`))};n.on(`time`,l),n.on(`motion`,l,!0);let u=()=>c(r,d(n.get(`playing`)||n.get(`live`)?A.pause:A.play,!0,20));return n.on(`playing`,u),n.on(`live`,u,!0),n.on(`pace`,e=>a.value=String(Math.round(e*1e3)/1e3),!0),n.on(`loop`,e=>o.setAttribute(`aria-pressed`,String(e))),kS(e),s(`div`,{class:`transport`},f(A.first,`To the first frame`,`Goes to the first frame (Home).`,()=>MS(e,!1),!0),f(A.back,`One frame back`,`Goes one frame back (←), or ten frames with Shift.`,()=>gS(n,-1)),r,f(A.forward,`One frame forward`,`Goes one frame forward (→), or ten frames with Shift.`,()=>gS(n,1)),f(A.last,`To the last frame`,`Goes to the last frame (End).`,()=>MS(e,!0),!0),o,s(`label`,{class:`pace-label`},a,s(`span`,null,`×`),s(`datalist`,{id:`paces`},DS.map(e=>s(`option`,{value:e})))),i,s(`div`,{class:`spread`}),t)}function kS(e){let{store:t}=e;e.shortcut(`space`,`Play or pause`,()=>AS(e)),e.shortcut(`left`,`One frame back`,()=>gS(t,-1)),e.shortcut(`right`,`One frame forward`,()=>gS(t,1)),e.shortcut(`shift+left`,`Ten frames back`,()=>gS(t,-10)),e.shortcut(`shift+right`,`Ten frames forward`,()=>gS(t,10)),e.shortcut(`home`,`To the first frame`,()=>MS(e,!1)),e.shortcut(`end`,`To the last frame`,()=>MS(e,!0)),e.shortcut(`l`,`Loop on or off`,()=>t.set(`loop`,!t.get(`loop`))),e.shortcut(`,`,`Halve the pace`,()=>jS(e,t.get(`pace`)/2)),e.shortcut(`.`,`Double the pace`,()=>jS(e,t.get(`pace`)*2))}function AS(e){let t=e.store.get(`run`);t&&(t.state===`running`||t.state===`paused`)?e.run(`live_pause`,{paused:t.state===`running`}):_S(e.store)}function jS(e,t){let n=Number.isFinite(t)&&t>0?Math.min(Math.max(t,.01),20):1;e.store.set(`pace`,n);let r=e.store.get(`run`);r&&r.state!==`stopped`&&e.run(`live_pace`,{pace:Math.min(Math.max(n,.05),4)})}function MS(e,t){let n=e.store.get(`motion`);n&&(e.store.set(`playing`,!1),e.store.set(`time`,t?n.end:n.start))}function NS(e,t,n,r){let{store:i}=t,a=i.get(`mode`)===`studio`,o=()=>{if(!n)return;let e=i.get(`camera`),r=Math.round(i.get(`time`)*1e3)/1e3;t.run(`set_camera_key`,{time:r,camera:{...n.cameras.view(),mode:e===`keys`?`fixed`:e}})},l=()=>wS(t,i.get(`selection`).figure,Math.round(i.get(`time`)*1e3)/1e3);addEventListener(`anthropi:camera-key`,o);let u=(e,t,n,r)=>s(`button`,{class:`quiet small`,type:`button`,"aria-label":t,help:n,onclick:r},d(A[e],!1,15),s(`span`,null,t)),f=u(`keyed`,`Interpolate`,`Computes a smooth motion through the keys of the chosen figure.`,()=>void t.run(`interpolate`,{figure:i.get(`selection`).figure})),p=a?[u(`key`,`Key`,`Sets a key with the pose of the chosen figure at this time (K). Drag keys on the timeline to move them.`,l),f,u(`camera`,`Camera key`,`Sets a key with the present camera at this time (C). Choose the camera mode Keys to play the camera keys.`,o)]:[];if(p.push(u(`plots`,`Plots`,`Shows or hides the plots (\\).`,r)),a){t.shortcut(`k`,`Set a key of the chosen figure`,l),t.shortcut(`c`,`Set a camera key`,o);let e=()=>f.disabled=(i.get(`project`)?.keys[String(i.get(`selection`).figure)]?.length??0)<2;i.on(`project`,e,!0),i.on(`selection`,e)}c(e,OS(t,p),new CS(t).element),mS(i)}var PS=document.getElementById(`motion`);function FS(){let e=new Xc({mode:PS?`player`:`studio`,theme:de(),motion:null,ghost:null,time:0,range:[0,1],playing:!1,pace:1,loop:!0,live:!1,selection:{figure:0,link:null,dof:null},tool:`hand`,body:`volume`,camera:`follow`,shown:{grid:!0,shadows:!0,forces:!0,com:!1,cop:!1,virtualLeg:!1,limits:!1,trails:!1,markers:!1,ghosts:!1,names:!1},channels:[],cameraKeys:[],project:null,figures:new Map,run:null,welcome:null}),t=new o,n=new h(e),r=new ae,i=[],a={store:e,connection:t,notify:e=>n.show(e),run:(e,n)=>t.send(e,n).catch(e=>void g(a,e)),shortcut:(e,t,n)=>r.add(e,t,n),explain:(...e)=>void i.push(e)};fe(e);let s=Bl(a);document.getElementById(`app`).replaceChildren(s.root,n.element);let c=IS(a,s);NS(s.timeline,a,c,()=>s.fold(`below`)),new Rl(a,s.plots),c&&oS(s.stage,a,c);let l=new F(a,r,_e);document.body.append(l.element),a.explain=(e,t,n)=>l.add(e,t,n);for(let e of i)l.add(...e);if(LS(a,s,r,l),le(),Object.assign(globalThis,{anthropi:{app:a,stage:c}}),PS)return jl(a,PS);Ol({left:s.left,right:s.right,bar:s.bar,dialogs:s.dialogs},a,c),D(a),c&&Hl(a,c),pS(a,s.stage),RS(a,s),t.open(),ve()}function IS(e,t){try{return new Zx(e,t.stage)}catch{return t.stage.append(s(`p`,{class:`no-stage`},`The 3D view needs WebGL 2, which this browser does not support or has disabled. Enable it or use another browser. Timeline, plots and commands work without it.`)),null}}function LS(e,t,n,r){let{store:i}=e,a=()=>i.set(`theme`,i.get(`theme`)===`dark`?`light`:`dark`),o=()=>void j(`Keyboard shortcuts`,n.sheet());e.shortcut(`t`,`Switch between the dark and the light theme`,a),e.shortcut(`?`,`Show the keyboard shortcuts`,o);let l=f(A.moon,`Theme`,`Switches between the dark and the light theme (T).`,a);i.on(`theme`,e=>c(l,d(e===`dark`?A.sun:A.moon)),!0),t.tools.append(...PS?[]:[s(`button`,{class:`quiet`,type:`button`,help:`Opens an example: walks, pushes, pendulums, robots.`,onclick:()=>M(e)},`Examples`)],f(A.keyboard,`Keyboard shortcuts`,`Shows the keyboard shortcuts (?).`,o),f(A.help,`Help`,`Opens the help: topics, search, and 'What is this?' (H).`,()=>r.open()),l)}function RS(e,t){e.connection.onStatus(e=>{let n={none:``,open:``,connecting:`Connecting …`,waiting:`The server does not respond. Reconnecting …`,closed:`The server refused this page. Open the address that 'anthropi studio' printed.`}[e];t.status.textContent=n,t.status.hidden=!n})}FS();