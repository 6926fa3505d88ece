for (;;) console.log('x'.repeat(65536));
