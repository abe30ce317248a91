// The references in Java sources as javac resolves them: `java JavaReferences.java FOLDER FILE…` prints one line each,
// `name TAB file TAB offset TAB file of the declaration TAB its start TAB its end`.
import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.file.*;
import java.util.*;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.tools.*;

public class JavaReferences {
  public static void main(String[] args) throws Exception {
    Path root = Path.of(args[0]);
    List<File> files = new ArrayList<>();
    for (int i = 1; i < args.length; i++) files.add(root.resolve(args[i]).toFile());
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager manager = compiler.getStandardFileManager(d -> {}, null, null);
    JavacTask task = (JavacTask) compiler.getTask(null, manager, d -> {}, List.of("-proc:none", "-Xmaxerrs", "1"), null,
        manager.getJavaFileObjectsFromFiles(files));
    List<CompilationUnitTree> units = new ArrayList<>();
    for (CompilationUnitTree unit : task.parse()) units.add(unit);
    try { task.analyze(); } catch (RuntimeException unresolved) { /* what was resolved before is used */ }
    Trees trees = Trees.instance(task);
    PrintStream out = new PrintStream(new BufferedOutputStream(System.out), false, "UTF-8");
    for (CompilationUnitTree unit : units) {
      CharSequence text = unit.getSourceFile().getCharContent(true);
      String file = root.relativize(Path.of(unit.getSourceFile().toUri())).toString();
      new TreePathScanner<Void, Void>() {
        @Override public Void visitIdentifier(IdentifierTree tree, Void nothing) {
          tell(trees.getSourcePositions().getStartPosition(unit, tree));
          return super.visitIdentifier(tree, nothing);
        }
        @Override public Void visitMemberSelect(MemberSelectTree tree, Void nothing) {
          tell(trees.getSourcePositions().getEndPosition(unit, tree) - tree.getIdentifier().length());
          return super.visitMemberSelect(tree, nothing);
        }
        @Override public Void visitMemberReference(MemberReferenceTree tree, Void nothing) {
          tell(trees.getSourcePositions().getEndPosition(unit, tree) - tree.getName().length());
          return super.visitMemberReference(tree, nothing);
        }
        void tell(long offset) {
          Element element = trees.getElement(getCurrentPath());
          TreePath declared = element == null ? null : trees.getPath(element);
          if (declared == null) return;
          CompilationUnitTree home = declared.getCompilationUnit();
          long start = trees.getSourcePositions().getStartPosition(home, declared.getLeaf());
          if (element.getKind() == ElementKind.CONSTRUCTOR) return;
          out.println(element.getSimpleName() + "\t" + file + "\t" + offset + "\t" + root.relativize(Path.of(home.getSourceFile().toUri())) + "\t" + start
              + "\t" + trees.getSourcePositions().getEndPosition(home, declared.getLeaf()));
        }
      }.scan(unit, null);
    }
    out.flush();
  }
}
