// Which types and methods stand below which, as javac resolves it: `java JavaOverrides.java FOLDER FILE…` prints one line for
// each pair, however far apart, `file TAB line TAB file below TAB line below`.
import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;
import javax.lang.model.element.*;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.*;
import javax.tools.*;

public class JavaOverrides {
  static Trees trees;
  static Path root;

  public static void main(String[] args) throws Exception {
    root = Path.of(args[0]);
    List<File> files = new ArrayList<>();
    for (int i = 1; i < args.length; i++) files.add(root.resolve(args[i]).toFile());
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager manager = compiler.getStandardFileManager(d -> {}, null, null);
    JavacTask task = (JavacTask) compiler.getTask(null, manager, d -> {}, List.of("-proc:none", "-Xmaxerrs", "1"), null,
        manager.getJavaFileObjectsFromFiles(files));
    List<CompilationUnitTree> units = new ArrayList<>();
    for (CompilationUnitTree unit : task.parse()) units.add(unit);
    try { task.analyze(); } catch (RuntimeException unresolved) { /* what was resolved before is used */ }
    trees = Trees.instance(task);
    Types types = task.getTypes();
    Elements elements = task.getElements();
    PrintStream out = new PrintStream(new BufferedOutputStream(System.out), false, "UTF-8");
    for (CompilationUnitTree unit : units) {
      new TreePathScanner<Void, Void>() {
        @Override public Void visitClass(ClassTree tree, Void nothing) {
          Element element = trees.getElement(getCurrentPath());
          // A type without a name is no declaration of its own.
          if (element instanceof TypeElement type && !tree.getSimpleName().isEmpty()) {
            for (TypeElement above : above(type, types)) {
              tell(out, above, type);
              for (Element own : type.getEnclosedElements())
                for (Element theirs : above.getEnclosedElements())
                  if (own instanceof ExecutableElement below && theirs instanceof ExecutableElement over
                      && elements.overrides(below, over, type)) tell(out, over, below);
            }
          }
          return super.visitClass(tree, nothing);
        }
      }.scan(unit, null);
    }
    out.flush();
  }

  static Set<TypeElement> above(TypeElement type, Types types) {
    Set<TypeElement> found = new LinkedHashSet<>();
    Deque<TypeMirror> open = new ArrayDeque<>(types.directSupertypes(type.asType()));
    while (!open.isEmpty()) {
      TypeMirror next = open.pop();
      if (types.asElement(next) instanceof TypeElement element && found.add(element)) open.addAll(types.directSupertypes(next));
    }
    return found;
  }

  static void tell(PrintStream out, Element above, Element below) {
    String from = place(above), to = place(below);
    if (from != null && to != null) out.println(from + "\t" + to);
  }

  static String place(Element element) {
    TreePath path = trees.getPath(element);
    if (path == null) return null;
    CompilationUnitTree unit = path.getCompilationUnit();
    Tree leaf = path.getLeaf();
    Tree modifiers = leaf instanceof ClassTree type ? type.getModifiers() : leaf instanceof MethodTree method ? method.getModifiers() : null;
    if (modifiers == null) return null;
    SourcePositions positions = trees.getSourcePositions();
    long end = positions.getEndPosition(unit, modifiers);
    long start = end < 0 ? positions.getStartPosition(unit, leaf) : end;
    try {
      Matcher name = Pattern.compile("\\b" + Pattern.quote(element.getSimpleName().toString()) + (leaf instanceof MethodTree ? "\\s*\\(" : "\\b"))
          .matcher(unit.getSourceFile().getCharContent(true));
      if (start < 0 || !name.find((int) start)) return null;
      return root.relativize(Path.of(unit.getSourceFile().toUri())) + "\t" + unit.getLineMap().getLineNumber(name.start());
    } catch (IOException unreadable) {
      return null;
    }
  }
}
